import type { AgentEvent } from "../agent/mod.ts";
import { messageOf } from "../base/mod.ts";
import type { Message } from "../llm/mod.ts";
import type { SessionEvent, SessionLog, SessionRecord } from "./session_log.ts";

/** Without the time, which the journal adds. */
type Untimed = SessionRecord extends infer R ? R extends { time: string } ? Omit<R, "time"> : never
  : never;

/** Writes a turn into a log. A log that fails is left alone and reported. */
export class Journal {
  readonly #log: SessionLog | undefined;
  readonly #now: () => number;
  #failure: string | undefined;
  #failed = false;

  constructor(log: SessionLog | undefined, now: () => number) {
    this.#log = log;
    this.#now = now;
  }

  /** Why the log failed; told once. */
  takeFailure(): string | undefined {
    const failure = this.#failure;
    this.#failure = undefined;
    return failure;
  }

  /** Keeps what a log keeps of an event; `model` is the one that answers. */
  async note(event: AgentEvent, model: string): Promise<void> {
    switch (event.type) {
      case "message":
        return await this.messages([event.message]);
      case "usage": {
        const { prompt_tokens, completion_tokens } = event.usage;
        return await this.event({ type: "usage", model, prompt_tokens, completion_tokens });
      }
      case "notice":
      case "warning":
        return await this.event(event);
    }
  }

  /** Adds messages that no event tells. */
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
    if (this.#log === undefined || this.#failed) return;
    try {
      await this.#log.append({ ...record, time: new Date(this.#now()).toISOString() });
    } catch (error) {
      this.#failed = true;
      this.#failure = `The session is no longer kept: ${messageOf(error)}`;
    }
  }
}
