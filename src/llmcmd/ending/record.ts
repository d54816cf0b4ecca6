import type { AgentEvent } from "../../agent/mod.ts";
import { isRecord } from "../../base/mod.ts";
import { withoutThought } from "../../llm/mod.ts";
import type { RecordedFacts, RuleName } from "./facts.ts";

/** The longest part of a failure that is repeated, in characters. */
const EXCERPT = 300;

/** Records the facts of a run that decide whether it may end, where they happen. */
export class EndingRecord {
  #failedNow: string | undefined;
  #lost: string | undefined;
  /** That call was refused before it was clear that it led to descriptor 1. */
  #lostMaybe = false;
  #lastFailed: string | undefined;
  #delivered = false;
  #deliveredNow = false;
  #hasText = false;
  #ahead: string[] = [];
  readonly #refusals = new Map<RuleName, string>();
  /** Inputs of the message's calls that have begun. */
  readonly #inputs = new Map<string, unknown>();

  /** Follows the events of the run. */
  note(event: AgentEvent): void {
    if (event.type === "turn_start") {
      this.#failedNow = undefined;
      this.#deliveredNow = false;
      this.#hasText = false;
      this.#inputs.clear();
    } else if (event.type === "message" && event.message.role === "assistant") {
      this.says(withoutThought(event.message.content ?? ""));
      this.#ahead = event.message.tool_calls?.map((call) => call.function.name) ?? [];
    } else if (event.type === "tool_start") {
      this.#ahead.shift();
      this.#inputs.set(event.id, event.input);
    } else if (event.type === "tool_end") {
      this.#noteEnd(event);
    }
  }

  #noteEnd({ id, name, content, error }: AgentEvent & { type: "tool_end" }): void {
    // A model that has made a call can call tools: its next text of calls is refused again.
    if (!error) this.#refusals.delete("callAsText");
    if (name === "exit") return;
    this.#lastFailed = error ? `${name} failed: ${failureIn(content)}` : undefined;
    if (error) {
      this.#failedNow = this.#lastFailed;
      // Only these events report calls that could not even begin.
      const leads = leadsToOutput(name, this.#inputs.get(id));
      if (leads === true || (leads === "maybe" && this.#lost === undefined)) {
        this.#lost = this.#failedNow;
        this.#lostMaybe = leads === "maybe";
      }
    } else if (name === "pipe" && this.#lostMaybe) {
      // The call was corrected, and did not lead to descriptor 1.
      this.#lost = undefined;
      this.#lostMaybe = false;
    }
  }

  /** The model says this in its message, without what it thinks: it may become the output. */
  says(text: string): void {
    this.#hasText = text.trim() !== "";
  }

  /** A transfer to descriptor 1 went well, perhaps with nothing to write. */
  delivered(): void {
    this.#lost = undefined;
    this.#lostMaybe = false;
    this.#delivered = true;
    this.#deliveredNow = true;
  }

  /** Something is on descriptor 1, even if the last transfer failed. */
  hasOutput(): void {
    this.#delivered = true;
  }

  /** A transfer to descriptor 1 failed. */
  failed(tool: string, why: string): void {
    this.#lost = `${tool} failed: ${excerpt(why)}`;
    this.#lostMaybe = false;
  }

  /** The model was sent on with this message. */
  refused(rule: RuleName, message: string): void {
    this.#refusals.set(rule, message);
  }

  /** The facts so far. */
  facts(): RecordedFacts {
    return {
      delivered: this.#delivered,
      deliveredNow: this.#deliveredNow,
      lost: this.#lost,
      failedNow: this.#failedNow,
      lastFailed: this.#lastFailed,
      hasText: this.#hasText,
      ahead: [...this.#ahead],
      refusals: new Map(this.#refusals),
    };
  }
}

/**
 * Tells whether a call was to write to descriptor 1; `"maybe"` for a pipe that could not be
 * understood, as it has other keys than those of the tool.
 */
function leadsToOutput(tool: string, input: unknown): boolean | "maybe" {
  if (tool === "write") return !isRecord(input) || Number(input.fd ?? 1) === 1;
  if (tool !== "pipe") return false;
  if (!isRecord(input)) return "maybe";
  const { cmd: _cmd, in_fd: _in, out_fd: outFd, ...others } = input;
  if (outFd !== undefined && Number(outFd) === 1) return true;
  const isUnclear = outFd !== undefined && outFd !== null && Number.isNaN(Number(outFd));
  return isUnclear || Object.keys(others).length > 0 ? "maybe" : false;
}

/** The failure in a tool's result: the `error` of its JSON, or the text itself. */
function failureIn(content: string): string {
  try {
    const fields: unknown = JSON.parse(content);
    if (typeof fields === "object" && fields !== null && "error" in fields) {
      return excerpt(String(fields.error));
    }
  } catch {
    // Not JSON.
  }
  return excerpt(content);
}

function excerpt(text: string): string {
  const [line = ""] = text.split("\n", 1);
  return line.length > EXCERPT ? `${line.slice(0, EXCERPT).toWellFormed()}...` : line;
}
