import type { AgentEvent } from "../agent/mod.ts";
import { isRecord, messageOf } from "../base/mod.ts";
import type { Message } from "../llm/mod.ts";
import type { SessionEvent, SessionLog, SessionRecord } from "./session_log.ts";

/** Without the time, which the journal adds. */
type Untimed = SessionRecord extends infer R ? R extends { time: string } ? Omit<R, "time"> : never
  : never;

/** Writes a turn into a log. A log that fails is left alone and reported. */
export class TurnJournal {
  readonly #log: SessionLog | undefined;
  readonly #now: () => number;
  #failure: string | undefined;
  /** Writes that have begun and that were not awaited yet. */
  #begun: Promise<unknown> | undefined;
  #failed = false;

  constructor(log: SessionLog | undefined, now: () => number) {
    this.#log = log;
    this.#now = now;
  }

  /** The failure of the log, returned once. */
  takeFailure(): string | undefined {
    const failure = this.#failure;
    this.#failure = undefined;
    return failure;
  }

  /**
   * Writes the records of an event; `model` is the one that answers. Resolves when all writes that
   * had begun are done, also for an event without a record.
   */
  async note(event: AgentEvent, model: string): Promise<void> {
    if (this.#begun !== undefined) await this.#settled();
    switch (event.type) {
      case "message":
        return await this.messages([event.message]);
      case "usage": {
        const { prompt_tokens, completion_tokens } = event.usage;
        return await this.event({ type: "usage", model, prompt_tokens, completion_tokens });
      }
      case "tool_end": {
        const { id, error } = event;
        const diff = diffIn(event.details);
        if (!error && diff === undefined) return;
        return await this.event({
          type: "result",
          id,
          error,
          ...diff === undefined ? {} : { diff },
        });
      }
      case "notice":
      case "warning":
        return await this.event(event);
    }
  }

  /** Begins to add a message. Later records wait for it; the request to the model does not. */
  begin(message: Message): void {
    this.#begun = Promise.all([this.#begun, this.#write({ type: "message", message })]);
  }

  /** Adds messages that have no event. */
  async messages(messages: readonly Message[]): Promise<void> {
    // In order, but without waiting in between: a log can write them at once.
    await Promise.all(messages.map((message) => this.#append({ type: "message", message })));
  }

  /** Puts other messages in the place of the conversation. */
  async compaction(messages: readonly Message[], before: number, after: number): Promise<void> {
    await this.#append({ type: "compaction", messages: [...messages], before, after });
  }

  /** Adds what else happened. */
  async event(event: SessionEvent): Promise<void> {
    await this.#append({ type: "event", event });
  }

  async #append(record: Untimed): Promise<void> {
    await this.#settled();
    await this.#write(record);
  }

  async #settled(): Promise<void> {
    const begun = this.#begun;
    this.#begun = undefined;
    await begun;
  }

  async #write(record: Untimed): Promise<void> {
    if (this.#log === undefined || this.#failed) return;
    try {
      await this.#log.append({ ...record, time: new Date(this.#now()).toISOString() });
    } catch (error) {
      this.#failed = true;
      this.#failure = `The session is no longer saved: ${messageOf(error)}`;
    }
  }
}

/** Characters of a diff that are kept. */
const MOST_DIFF = 32_768;

/** The diff among the details of a call, of which the rest is cut if it is long. */
function diffIn(details: unknown): string | undefined {
  const diff = isRecord(details) ? details.diff : undefined;
  if (typeof diff !== "string" || diff.length <= MOST_DIFF) {
    return typeof diff === "string" ? diff : undefined;
  }
  const cut = diff.slice(0, MOST_DIFF);
  return `${cut.slice(0, cut.lastIndexOf("\n") + 1)}[The diff is longer]\n`;
}
