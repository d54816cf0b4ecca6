import assert from "node:assert/strict";
import type { AgentEvent } from "../../agent/mod.ts";
import type { EndingFacts } from "./facts.ts";
import { judge } from "./judge.ts";
import { EndingRecord } from "./record.ts";

/** A verdict as far as these tests look at it. */
type Answer = { kind: string; message?: string };

/** The record of a run whose model calls `exit` with code 0, and the judge of its end. */
class Ending extends EndingRecord {
  judge(unread: number | undefined, lastTurn: boolean, empty = false): Answer {
    return this.#judge({ moment: "drained", unread, lastTurn, written: empty ? 0 : 1 });
  }

  judgeUnfed(unfed: number | undefined, lastTurn: boolean): Answer | undefined {
    const answer = this.#judge({ unfed, lastTurn });
    return answer.kind === "drain" ? undefined : answer;
  }

  judgeOrder(): Answer | undefined {
    return this.judgeUnfed(undefined, false);
  }

  #judge(given: Partial<EndingFacts>): Answer {
    const verdict = judge({
      ...this.facts(),
      moment: "asked",
      attempt: { by: "exit", code: 0 },
      lastTurn: false,
      stopped: undefined,
      unfed: undefined,
      unread: undefined,
      written: 0,
      ...given,
    });
    if (verdict.kind !== "refused") return { kind: verdict.kind };
    this.refused(verdict.rule, verdict.message);
    return { kind: verdict.kind, message: verdict.message };
  }
}

const turn: AgentEvent = { type: "turn_start", turn: 1 };

/** A call that failed, as the loop tells of it. */
function failed(name: string, input: unknown, content: string): AgentEvent[] {
  return [
    { type: "tool_start", id: "a", name, input },
    { type: "tool_end", id: "a", name, content, error: true },
  ];
}

function says(content: string): AgentEvent {
  return { type: "message", message: { role: "assistant", content } };
}

function kinds(...verdicts: Answer[]): string[] {
  return verdicts.map(({ kind }) => kind);
}

function noted(...events: AgentEvent[]): Ending {
  const ending = new Ending();
  for (const event of events) ending.note(event);
  return ending;
}

Deno.test("Ending lets a run end when nothing failed and every pipe was read", () => {
  assert.deepEqual(noted(turn).judge(undefined, false), { kind: "end" });
});

Deno.test("Ending refuses once while a call of the message failed, and tells what", () => {
  const ending = noted(turn, ...failed("read", { fd: 9 }, '{"error":"Cannot read fd 9"}'));
  const verdict = ending.judge(undefined, false);
  assert.equal(
    verdict.message?.split(". ")[0],
    "Not ended: read failed: Cannot read fd 9",
  );
  ending.note({ type: "turn_start", turn: 2 });
  ending.says("There is no such input.");
  assert.deepEqual(ending.judge(undefined, false), { kind: "end" });
});

Deno.test("Ending fails at the second end with nothing written or said after a failed call", () => {
  const events = [turn, ...failed("write", { fd: 3, data: "x" }, "No"), turn];
  const silent = noted(...events);
  silent.says(" \n");
  const verdicts = [silent.judge(undefined, false), silent.judge(undefined, false)];
  assert.deepEqual(kinds(...verdicts), ["refused", "failed"]);
  const better = noted(...events, {
    type: "tool_end",
    id: "b",
    name: "read",
    content: "{}",
    error: false,
  });
  assert.deepEqual(better.judge(undefined, false), { kind: "end" });
  const written = noted(...events);
  written.hasOutput();
  assert.deepEqual(written.judge(undefined, false), { kind: "end" });
});

Deno.test("Ending tells once of a pipe to descriptor 1 that nobody wrote to", () => {
  const ending = noted(turn);
  assert.equal(ending.judgeUnfed(undefined, false), undefined);
  assert.deepEqual(ending.judgeUnfed(4, false), {
    kind: "refused",
    message: "Not ended: nothing was written to fd 4, so its pipe gave nothing to fd 1. If fd 1 " +
      "has the whole output all the same, end again, which drops that pipe; else call pipe with " +
      "in_fd, or write the data to fd 4, with eof true at the end",
  });
  assert.equal(ending.judgeUnfed(4, false), undefined);
  assert.equal(noted(turn).judgeUnfed(4, true)?.kind, "refused");
  const written = noted(turn);
  written.hasOutput();
  assert.equal(written.judgeUnfed(4, true), undefined);
});

Deno.test("Ending fails at the second end without anything written since a failed transfer", () => {
  for (
    const [name, input] of [
      ["pipe", { cmd: "awk", in_fd: 3, out_fd: 1 }],
      ["pipe", { cmd: "awk", in_fd: 3, out_fd: "1" }],
      ["write", { text: "x" }],
      ["write", { fd: 1 }],
      ["write", "no JSON"],
      ["pipe", "no JSON"],
      ["pipe", { cmd: "sort", in_fd: 3, output_fd: 1 }],
      ["pipe", { cmd: "sort", in_fd: 3, out_fd: "stdout" }],
    ] as const
  ) {
    const ending = noted(turn, ...failed(name, input, "No"), { type: "turn_start", turn: 2 });
    const verdicts = [ending.judge(undefined, false), ending.judge(undefined, false)];
    assert.deepEqual(kinds(...verdicts), ["refused", "failed"], JSON.stringify(input));
    ending.delivered();
    assert.deepEqual(ending.judge(undefined, false), { kind: "end" });
  }
});

Deno.test("Ending refuses a failure that it did not tell of yet", () => {
  const ending = noted(turn);
  ending.failed("pipe", "base64 failed with status 1\nmore");
  const first = ending.judge(undefined, false);
  ending.failed("pipe", "sed failed with status 4");
  const second = ending.judge(undefined, false);
  assert.deepEqual(kinds(first, second, ending.judge(undefined, false)), [
    "refused",
    "refused",
    "failed",
  ]);
});

Deno.test("Ending does not take a failed pipe to another pipe for a lost output", () => {
  const ending = noted(turn, ...failed("pipe", { cmd: "awk", in_fd: 3 }, "No"));
  ending.note({ type: "turn_start", turn: 2 });
  ending.hasOutput();
  assert.deepEqual(ending.judge(undefined, false), { kind: "end" });
});

Deno.test("Ending takes a pipe that was not understood for corrected when another one begins", () => {
  const corrected: AgentEvent = {
    type: "tool_end",
    id: "b",
    name: "pipe",
    content: "{}",
    error: false,
  };
  const unclear = failed("pipe", { cmd: "head", input: 3 }, "No");
  const next: AgentEvent = { type: "turn_start", turn: 2 };
  assert.equal(noted(turn, ...unclear, next, corrected).judge(undefined, false).kind, "end");
  const sure = failed("pipe", { cmd: "awk", out_fd: 1 }, "No");
  for (const events of [[...sure, ...unclear], [...unclear, ...sure]]) {
    const ending = noted(turn, ...events, next, corrected);
    assert.equal(ending.judge(undefined, false).kind, "refused");
  }
});

Deno.test("Ending tells once of a pipe that nobody read, on the last call only if there is no output", () => {
  const ending = noted(turn);
  const verdict = ending.judge(5, false);
  assert.match(
    verdict.message ?? "",
    /^Not ended: fd 5 was never read/,
  );
  assert.deepEqual(ending.judge(5, false), { kind: "end" });
  assert.equal(noted(turn).judge(5, true).kind, "refused");
  const written = noted(turn, says("Done"));
  assert.deepEqual(written.judge(5, true), { kind: "end" });
});

Deno.test("Ending takes no thought for what the model says", () => {
  for (const thought of ["<think>So\n</think>\n\n", "So\n</think>\n\n"]) {
    assert.equal(noted(turn, says(thought)).judge(5, true).kind, "refused");
    assert.equal(noted(turn, says(`${thought}3`)).judge(5, true).kind, "end");
    const empty = noted(turn);
    empty.delivered();
    for (const event of [turn, says(thought)]) empty.note(event);
    assert.deepEqual(empty.judge(undefined, false, true), { kind: "end" });
    for (const event of [turn, says(`${thought}3`)]) empty.note(event);
    assert.equal(empty.judge(undefined, false, true).kind, "refused");
  }
});

Deno.test("Ending refuses an end that other calls of its message follow", () => {
  const call = (id: string, name: string) => ({
    id,
    type: "function" as const,
    function: { name, arguments: "{}" },
  });
  const message = (...names: string[]): AgentEvent => ({
    type: "message",
    message: {
      role: "assistant",
      content: null,
      tool_calls: names.map((name) => call(name, name)),
    },
  });
  const exit: AgentEvent = { type: "tool_start", id: "exit", name: "exit", input: {} };
  const early = noted(turn, message("exit", "pipe", "exit"), exit);
  for (let attempt = 0; attempt < 2; attempt++) {
    assert.deepEqual(early.judgeOrder(), {
      kind: "refused",
      message: "Not ended: pipe comes after exit in this message and runs now. " +
        "Look at its result, then call exit again",
    });
  }
  const pipe: AgentEvent = { type: "tool_start", id: "pipe", name: "pipe", input: {} };
  assert.equal(noted(turn, message("pipe", "exit", "exit"), pipe, exit).judgeOrder(), undefined);
  assert.equal(noted(turn, message("exit", "pipe"), exit, pipe).judgeOrder(), undefined);
});
