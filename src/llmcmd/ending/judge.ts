import { LlmError } from "../../llm/mod.ts";
import { isCallAsText, isExitAsText } from "./call_as_text.ts";
import type { EndingFacts, Moment, RuleName } from "./facts.ts";

/** A run ended although something that it was to write was not written. */
export class IncompleteError extends Error {
  /** `IncompleteError` */
  override readonly name = "IncompleteError";

  /** `problem` is the failure that the model left as it is after a refusal. */
  constructor(problem: string) {
    super(`The model ended the run although ${problem}`);
  }
}

/** The answer to an attempt to end. */
export type Verdict =
  /** Nothing speaks against the end yet: to be judged again when the pipes have drained. */
  | { readonly kind: "drain" }
  /**
   * The run may end, with this status unless the loop's own end is a failure. With `writesText` the
   * text of the last message becomes the output.
   */
  | { readonly kind: "end"; readonly status: number; readonly writesText: boolean }
  /** The model goes on with this message. */
  | { readonly kind: "refused"; readonly rule: RuleName; readonly message: string }
  /** The run ends as failed. */
  | { readonly kind: "failed"; readonly error: Error };

/** A reason for a verdict, and the moments at which it counts. */
interface Rule {
  readonly at: readonly Moment[];
  readonly judge: (facts: EndingFacts) => Verdict | undefined;
}

/** The rules; the first one that has a verdict decides. */
const RULES: readonly Rule[] = [
  { at: ["asked"], judge: stopped },
  { at: ["asked"], judge: cut },
  { at: ["asked"], judge: callAsText },
  { at: ["asked", "over"], judge: gaveUp },
  { at: ["asked"], judge: order },
  { at: ["asked"], judge: unfed },
  { at: ["asked", "drained"], judge: failure },
  { at: ["drained"], judge: unread },
  { at: ["drained"], judge: remark },
  { at: ["over"], judge: silence },
];

/**
 * Decides whether a run may end. A model likes to send a call together with `exit`, before it knows
 * the result of the call; and it gives up after a failure as if all were well. Either way the user
 * would get an empty or half output with status 0.
 */
export function judge(facts: EndingFacts): Verdict {
  for (const rule of RULES) {
    const verdict = rule.at.includes(facts.moment) ? rule.judge(facts) : undefined;
    if (verdict !== undefined) return verdict;
  }
  return facts.moment === "asked" ? { kind: "drain" } : end(facts);
}

/** An error has stopped the run before. */
function stopped({ stopped: error }: EndingFacts): Verdict | undefined {
  return error && { kind: "failed", error };
}

/** A cut answer is refused once: its text can still be written in pieces. */
function cut({ attempt, refusals }: EndingFacts): Verdict | undefined {
  if (attempt.by !== "cut") return undefined;
  if (refusals.has("cut")) return { kind: "end", status: 0, writesText: false };
  return refused(
    "cut",
    `Your answer was cut at ${attempt.maxTokens} tokens, and nothing of it was written. ` +
      "Write the output with the write tool, in several calls that are each shorter than that",
  );
}

/**
 * Calls in an answer's text do nothing. A model that writes such a text twice in a row cannot call
 * tools. With output there is no doubt about an exit written as text.
 */
function callAsText({ attempt, ...facts }: EndingFacts): Verdict | undefined {
  if (attempt.by !== "answer" || !isCallAsText(attempt.text)) return undefined;
  if (facts.written > 0 && isExitAsText(attempt.text)) return undefined;
  if (!facts.refusals.has("callAsText") && !facts.lastTurn) {
    return refused(
      "callAsText",
      "Not ended: you wrote a tool call as text, which does nothing. Call the tool itself; " +
        "if the text is what the output is to be, write it with the write tool",
    );
  }
  const message = "The model wrote its tool calls as text, which does nothing: use a model that " +
    "can call tools, and start a local server with the options for that";
  return { kind: "failed", error: new LlmError(message, { code: "protocol" }) };
}

/** Any code but 0 ends the run at once, without text as output. */
function gaveUp({ attempt }: EndingFacts): Verdict | undefined {
  if (attempt.by !== "exit" || attempt.code === 0) return undefined;
  return { kind: "end", status: attempt.code, writesText: false };
}

/** Calls that follow `exit` in its message would be lost. Refused each time, as they run then. */
function order({ ahead }: EndingFacts): Verdict | undefined {
  const next = ahead.find((name) => name !== "exit");
  if (next === undefined) return undefined;
  return refused(
    "order",
    `Not ended: ${next} comes after exit in this message and runs now. ` +
      "Look at its result, then call exit again",
  );
}

/** A pipe to descriptor 1 without any input is reported once, while it can still be written to. */
function unfed({ unfed: fd, ...facts }: EndingFacts): Verdict | undefined {
  if (fd === undefined || facts.refusals.has("unfed") || enoughForLastTurn(facts)) return undefined;
  return refused(
    "unfed",
    `Not ended: nothing was written to fd ${fd}, so its pipe gave nothing to fd 1. If fd 1 ` +
      "has the whole output all the same, end again, which drops that pipe; else call pipe with " +
      `in_fd, or write the data to fd ${fd}, with eof true at the end`,
  );
}

/**
 * A lost transfer to descriptor 1, and a run of which nothing came but a failed last call, are
 * refused once, then fail. A failed call of this message is refused.
 */
function failure(facts: EndingFacts): Verdict | undefined {
  const { moment, lost, failedNow, lastFailed, refusals } = facts;
  const nothing = moment === "drained" && !hasAny(facts) ? lastFailed : undefined;
  const lasting = lost ?? nothing;
  const problem = lasting ?? failedNow;
  if (problem === undefined) return undefined;
  const message = `Not ended: ${problem}. Correct the call and write the output to fd 1, then ` +
    "end; or say why it cannot be done and call exit with a code from 1 to 255";
  if (lasting === undefined || refusals.get("failure") !== message) {
    return refused("failure", message);
  }
  // The other pipes give what they have, although the run fails.
  if (moment === "asked") return { kind: "drain" };
  return { kind: "failed", error: new IncompleteError(problem) };
}

/** A pipe that nobody read is reported once. */
function unread({ unread: fd, ...facts }: EndingFacts): Verdict | undefined {
  if (fd === undefined || facts.refusals.has("unread") || enoughForLastTurn(facts)) {
    return undefined;
  }
  return refused(
    "unread",
    `Not ended: fd ${fd} was never read. ` +
      `If it belongs to the output, call pipe with in_fd ${fd} and out_fd 1; ` +
      "else end again",
  );
}

/**
 * A text that would become the output although an empty output was written, such as "No line
 * matches" where a file of the matching lines was asked for, is questioned once.
 */
function remark(facts: EndingFacts): Verdict | undefined {
  const { written, delivered, deliveredNow, hasText, refusals, lastTurn } = facts;
  if (written > 0 || !delivered || deliveredNow || !hasText) return undefined;
  if (refusals.has("remark") || lastTurn) return undefined;
  return refused(
    "remark",
    "Not ended: nothing came out of what you wrote to fd 1, so your text would become " +
      "the output. If the output is to be empty, call exit with code 0 and without any text; " +
      "if your text is the output, end with it again",
  );
}

/** An empty answer is no end where nothing was written. */
function silence({ attempt, delivered }: EndingFacts): Verdict | undefined {
  if (attempt.by !== "answer" || attempt.text.trim() !== "" || delivered) return undefined;
  const message = "The model answered with nothing, neither text nor a call, and wrote nothing";
  return { kind: "failed", error: new LlmError(message, { code: "protocol" }) };
}

/**
 * The end as done. A text in a message that also wrote was written before the result was known, and
 * only announces it.
 */
function end({ attempt, written, deliveredNow }: EndingFacts): Verdict {
  const text = attempt.by === "cut" ? "" : attempt.text ?? "";
  return {
    kind: "end",
    status: attempt.by === "exit" ? attempt.code : 0,
    writesText: text.trim() !== "" && written === 0 && !deliveredNow,
  };
}

function refused(rule: RuleName, message: string): Verdict {
  return { kind: "refused", rule, message };
}

/** There is output, or a text that becomes it. */
function hasAny({ delivered, hasText }: Pick<EndingFacts, "delivered" | "hasText">): boolean {
  return delivered || hasText;
}

/** The model is not asked again, and what there is may be all that was wanted. */
function enoughForLastTurn(
  facts: Pick<EndingFacts, "lastTurn" | "delivered" | "hasText">,
): boolean {
  return facts.lastTurn && hasAny(facts);
}
