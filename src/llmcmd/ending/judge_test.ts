import assert from "node:assert/strict";
import type { EndingFacts, RuleName } from "./facts.ts";
import { judge, type Verdict } from "./judge.ts";

/** A run in which nothing happened, whose model calls `exit` with code 0. */
const NOTHING: EndingFacts = {
  moment: "asked",
  attempt: { by: "exit", code: 0 },
  lastTurn: false,
  stopped: undefined,
  unfed: undefined,
  unread: undefined,
  written: 0,
  delivered: false,
  deliveredNow: false,
  lost: undefined,
  failedNow: undefined,
  lastFailed: undefined,
  hasText: false,
  ahead: [],
  refusals: new Map(),
};

const REFUSALS = {
  cut:
    "Your answer was cut at 9 tokens, and nothing of it was written. Write the output with the " +
    "write tool, in several calls that are each shorter than that",
  callAsText: "Not ended: you wrote a tool call as text, which does nothing. Call the tool " +
    "itself; if the text is what the output is to be, write it with the write tool",
  order:
    "Not ended: pipe comes after exit in this message and runs now. Look at its result, then " +
    "call exit again",
  unfed: "Not ended: nothing was written to fd 4, so its pipe gave nothing to fd 1. If fd 1 has " +
    "the whole output all the same, end again, which drops that pipe; else call pipe with in_fd, " +
    "or write the data to fd 4, with eof true at the end",
  failure: "Not ended: pipe failed: No. Correct the call and write the output to fd 1, then end; " +
    "or say why it cannot be done and call exit with a code from 1 to 255",
  unread: "Not ended: fd 5 was never read. If it belongs to the output, call pipe with in_fd 5 " +
    "and out_fd 1; else end again",
  remark: "Not ended: nothing came out of what you wrote to fd 1, so your text would become the " +
    "output. If the output is to be empty, call exit with code 0 and without any text; if your " +
    "text is the output, end with it again",
} as const satisfies Record<RuleName, string>;

const WITHOUT_CALLS = "The model wrote its tool calls as text, which does nothing: use a model " +
  "that can call tools, and start a local server with the options for that";
const SILENT = "The model answered with nothing, neither text nor a call, and wrote nothing";
const INCOMPLETE = "The model ended the run although pipe failed: No";

/** `drain`, `end` with the status and whether the text is written, a rule that refuses, an error. */
type Expected = "drain" | [status: number, writesText: boolean] | RuleName | Error;
type Row = readonly [what: string, facts: Partial<EndingFacts>, expected: Expected];

const answer = (text: string) => ({ by: "answer", text }) as const;
const cut = { by: "cut", maxTokens: 9 } as const;
const told = (rule: RuleName) => ({ refusals: new Map([[rule, REFUSALS[rule]]]) });
const drained = { moment: "drained" } as const;
const over = { moment: "over" } as const;
const CALL = 'pipe(cmd: "sort", in_fd: 3)';
const EXIT = "exit(code: 0)";
const spent = new RangeError("Spent");

const error = (name: string, message: string) => Object.assign(new Error(message), { name });
const withoutCalls = error("LlmError", WITHOUT_CALLS);
const silent = error("LlmError", SILENT);
const incomplete = error("IncompleteError", INCOMPLETE);

const ROWS: readonly Row[] = [
  ["without objection the pipes drain first", {}, "drain"],
  ["an answer, too", { attempt: answer("Done") }, "drain"],

  ["what has stopped the run counts first", { stopped: spent, attempt: cut }, spent],

  ["a cut answer is refused", { attempt: cut }, "cut"],
  ["also on the last turn", { attempt: cut, lastTurn: true }, "cut"],
  ["a second cut answer ends the run", { attempt: cut, ...told("cut") }, [0, false]],

  ["a call as text is refused", { attempt: answer(CALL) }, "callAsText"],
  ["also with output", { attempt: answer(CALL), written: 1 }, "callAsText"],
  ["the second one fails", { attempt: answer(CALL), ...told("callAsText") }, withoutCalls],
  ["and the first one on the last turn", { attempt: answer(CALL), lastTurn: true }, withoutCalls],
  ["an exit as text is refused", { attempt: answer(EXIT) }, "callAsText"],
  ["but not with output", { attempt: answer(EXIT), written: 1 }, "drain"],

  ["another code ends the run at once", { attempt: { by: "exit", code: 3 } }, [3, false]],
  ["whatever failed", { attempt: { by: "exit", code: 3 }, lost: "x", unfed: 4 }, [3, false]],
  ["its text is no output", { ...over, attempt: { by: "exit", code: 3, text: "a" } }, [3, false]],

  ["calls after exit run first", { ahead: ["exit", "pipe"] }, "order"],
  ["each time", { ahead: ["pipe"], ...told("order") }, "order"],
  ["before anything else is said", { ahead: ["pipe"], unfed: 4, lost: "x" }, "order"],
  ["other exits do not count", { ahead: ["exit"] }, "drain"],

  ["a pipe without input is reported", { unfed: 4 }, "unfed"],
  ["before a failure", { unfed: 4, lost: "pipe failed: No" }, "unfed"],
  ["once", { unfed: 4, ...told("unfed") }, "drain"],
  ["on the last turn without output", { unfed: 4, lastTurn: true }, "unfed"],
  ["not with output", { unfed: 4, lastTurn: true, delivered: true }, "drain"],
  ["nor with a text", { unfed: 4, lastTurn: true, hasText: true }, "drain"],

  ["a lost transfer is refused", { lost: "pipe failed: No", delivered: true }, "failure"],
  ["also on the last turn", { lost: "pipe failed: No", lastTurn: true }, "failure"],
  ["the second time the pipes drain", { lost: "pipe failed: No", ...told("failure") }, "drain"],
  ["and it fails", { ...drained, lost: "pipe failed: No", ...told("failure") }, incomplete],
  ["a loss while the pipes drain is refused", { ...drained, lost: "pipe failed: No" }, "failure"],
  ["so is a new one", {
    ...drained,
    lost: "pipe failed: No",
    refusals: new Map([["failure", "Not ended: another"]]),
  }, "failure"],
  ["a failed call of the message is refused", { failedNow: "pipe failed: No" }, "failure"],
  ["each time", { failedNow: "pipe failed: No", ...told("failure") }, "failure"],
  ["an earlier failure waits for the pipes", { lastFailed: "pipe failed: No" }, "drain"],
  ["with nothing written it is refused", { ...drained, lastFailed: "pipe failed: No" }, "failure"],
  [
    "the second time it fails",
    { ...drained, lastFailed: "pipe failed: No", ...told("failure") },
    incomplete,
  ],
  ["with output it is over", { ...drained, lastFailed: "x", delivered: true }, [0, false]],
  ["with a text, too", { ...drained, lastFailed: "x", hasText: true }, [0, false]],

  ["a pipe that nobody read waits for the others", { unread: 5 }, "drain"],
  ["then it is reported", { ...drained, unread: 5, delivered: true }, "unread"],
  ["once", { ...drained, unread: 5, ...told("unread") }, [0, false]],
  ["on the last turn without output", { ...drained, unread: 5, lastTurn: true }, "unread"],
  [
    "not with output",
    { ...drained, unread: 5, lastTurn: true, delivered: true },
    [0, false],
  ],

  ["a text beside an empty output is questioned", {
    ...drained,
    delivered: true,
    hasText: true,
  }, "remark"],
  ["once", { ...drained, delivered: true, hasText: true, ...told("remark") }, [0, false]],
  [
    "not on the last turn",
    { ...drained, delivered: true, hasText: true, lastTurn: true },
    [0, false],
  ],
  [
    "nor in the message that wrote it",
    { ...drained, delivered: true, deliveredNow: true, hasText: true },
    [0, false],
  ],
  ["nor beside bytes", { ...drained, delivered: true, hasText: true, written: 1 }, [0, false]],
  ["nor where nothing was written", { ...drained, hasText: true }, [0, false]],

  ["an empty answer without output fails", { ...over, attempt: answer(" \n") }, silent],
  ["not with output", { ...over, attempt: answer(""), delivered: true }, [0, false]],
  ["an exit needs no text", { ...over, attempt: { by: "exit", code: 0, text: "" } }, [0, false]],

  ["the text becomes the output", { ...over, attempt: answer("42") }, [0, true]],
  ["also that of exit", { ...over, attempt: { by: "exit", code: 0, text: "42" } }, [0, true]],
  ["not beside bytes", { ...over, attempt: answer("42"), written: 1 }, [0, false]],
  [
    "nor from a message that wrote",
    { ...over, attempt: answer("42"), delivered: true, deliveredNow: true },
    [0, false],
  ],
];

/** A verdict with its error as name and message. */
function shown(verdict: Verdict): Record<string, unknown> {
  if (verdict.kind !== "failed") return { ...verdict };
  const { name, message } = verdict.error;
  return { kind: "failed", error: `${name}: ${message}` };
}

function wanted(expected: Expected): Verdict {
  if (expected instanceof Error) return { kind: "failed", error: expected };
  if (expected === "drain") return { kind: "drain" };
  if (typeof expected === "string") {
    return { kind: "refused", rule: expected, message: REFUSALS[expected] };
  }
  const [status, writesText] = expected;
  return { kind: "end", status, writesText };
}

Deno.test("judge decides by its rules, the first one that applies", () => {
  const refusing = new Set<string>();
  for (const [what, facts, expected] of ROWS) {
    const verdict = judge({ ...NOTHING, ...facts });
    if (verdict.kind === "refused") refusing.add(verdict.rule);
    assert.deepEqual({ what, ...shown(verdict) }, { what, ...shown(wanted(expected)) });
  }
  assert.deepEqual([...refusing].sort(), Object.keys(REFUSALS).sort(), "Every rule has a row");
});
