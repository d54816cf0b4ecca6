import { messageOf } from "../base/mod.ts";
import type { Message } from "../llm/mod.ts";
import type { SessionEvent, SessionLog, SessionRecord } from "./session_log.ts";

/** Without the time, which the journal adds. */
type Untimed = SessionRecord extends infer R ? R extends { time: string } ? Omit<R, "time"> : never
  : never;

/** Writes a turn into a log, each message once. A log that fails is left alone and reported. */
export class Journal {
  readonly #log: SessionLog | undefined;
  readonly #now: () => number;
  /** How many messages of the conversation the log has. */
  #kept: number;
  #failure: string | undefined;
  #failed = false;

  constructor(log: SessionLog | undefined, now: () => number, kept: number) {
    this.#log = log;
    this.#now = now;
    this.#kept = kept;
  }

  /** Why the log failed; told once. */
  takeFailure(): string | undefined {
    const failure = this.#failure;
    this.#failure = undefined;
    return failure;
  }

  /** Adds the next message of the conversation. */
  async message(message: Message): Promise<void> {
    this.#kept++;
    await this.#append({ type: "message", message });
  }

  /** Adds what the log does not have yet of the conversation. */
  async catchUp(messages: readonly Message[]): Promise<void> {
    // An answer that came in the moment of an abort may be kept here and not there.
    this.#kept = Math.min(this.#kept, messages.length);
    // In order, but without waiting in between: a log can write them at once.
    await Promise.all(messages.slice(this.#kept).map((message) => this.message(message)));
  }

  /** Puts other messages in the place of the conversation. */
  async compaction(messages: readonly Message[], before: number, after: number): Promise<void> {
    this.#kept = messages.length;
    await this.#append({ type: "compaction", messages: [...messages], before, after });
  }

  /** Adds what else happened. */
  async event(event: SessionEvent): Promise<void> {
    await this.#append({ type: "event", event });
  }

  async #append(record: Untimed): Promise<void> {
    if (this.#log === undefined || this.#failed) return;
    try {
      await this.#log.append({ ...record, time: new Date(this.#now()).toISOString() });
    } catch (error) {
      this.#failed = true;
      this.#failure = `The session is no longer kept: ${messageOf(error)}`;
    }
  }
}
