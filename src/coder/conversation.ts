import type { AgentRun } from "../agent/mod.ts";
import { type ChatClient, Quota } from "../llm/mod.ts";
import type { NewStoredSession, SessionStore, TurnChange } from "../store/mod.ts";
import { compact, type Compaction } from "./compact.ts";
import type { CoderOptions, CoderResult } from "./options.ts";
import { run } from "./run.ts";
import { firstLine, type Session } from "./session.ts";
import { encodeRecord, type SessionLog, type SessionRecord } from "./session_log.ts";
import { title } from "./title.ts";
import { messageText } from "./tokens.ts";
import { beginsTurn } from "./without_cut.ts";

/** The parts of a {@linkcode Conversation}. */
export interface ConversationParts {
  readonly store: SessionStore;
  /** As it was kept, or new. */
  readonly session: Session;
  /** The number of its lines in the store. */
  readonly lines: number;
  /** True where the store has a title or label of it. */
  readonly named: boolean;
  /** Makes the entry for the store before the first record; absent for a stored session. */
  readonly beginning?: (() => Promise<NewStoredSession>) | undefined;
  /** Lets others write it. */
  readonly release: () => Promise<void>;
  readonly now: () => number;
}

/** The model that makes titles and summaries. */
export interface SmallModel {
  /** The endpoint. */
  readonly client: ChatClient;
  /** The model's name. */
  readonly model: string;
  /** Ends the request. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * A conversation with the coding agent, kept in a store as it happens, that only this program writes
 * until it is closed. `Conversations` makes and opens them.
 */
export class Conversation implements AsyncDisposable {
  readonly #parts: ConversationParts;
  #named: boolean;
  #beginning: Promise<NewStoredSession> | undefined;
  #begun = false;
  /** The number of its lines in the store when it was opened. */
  readonly lines: number;
  /** The log for its turns. */
  readonly log: SessionLog;

  /** Takes a session that is claimed already, or is new. */
  constructor(parts: ConversationParts) {
    this.#parts = parts;
    this.#named = parts.named;
    this.lines = parts.lines;
    this.log = { append: (record) => this.#append(record) };
  }

  /** The session as it is now. */
  get session(): Session {
    return this.#parts.session;
  }

  /** Runs a turn, to which all that was said belongs. */
  turn(options: Omit<CoderOptions, "messages" | "log">): AgentRun<CoderResult> {
    const { session } = this;
    const turn = run({ ...options, messages: session.messages, log: this.log });
    return {
      events: turn.events,
      result: turn.result.then((result) => {
        session.messages = result.messages;
        this.#count(result.usage);
        return result;
      }),
    };
  }

  /** Gives it a title for lists, if it has none. A failure of the model is not reported. */
  async giveTitle(small: SmallModel): Promise<void> {
    const { session } = this;
    if (session.title !== undefined || session.messages.length === 0) return;
    // So that no second call makes one meanwhile.
    session.title = "";
    try {
      const text = await title(session.messages, small);
      if (small.signal?.aborted || text === "") return;
      session.title = text;
      await this.log.append({ type: "title", time: this.#time(), title: text });
    } catch {
      // The beginning of the first message is used as its name then.
    }
  }

  /**
   * Compacts it, as `compact()` does.
   *
   * @throws {RangeError} There is nothing to compact, or a summary is no shorter.
   * @throws {LlmError} The model failed.
   */
  async compact(small: SmallModel & { readonly keepTokens: number }): Promise<Compaction> {
    const { session } = this;
    const quota = new Quota();
    try {
      const compaction = await compact(session.messages, { ...small, quota });
      const { messages, before, after } = compaction;
      session.messages = messages;
      await this.log.append({ type: "compaction", time: this.#time(), messages, before, after });
      return compaction;
    } finally {
      await this.#spend(small.model, quota);
    }
  }

  /** Ends it: others can write it now. */
  async [Symbol.asyncDispose](): Promise<void> {
    const { beginning, release } = this.#parts;
    if (beginning === undefined || this.#begun) await release();
  }

  async #append(record: SessionRecord): Promise<void> {
    const { store, session: { id }, beginning, now } = this.#parts;
    const first = beginning && await (this.#beginning ??= beginning());
    // All that is written without waiting in between is one transaction.
    const writes: Promise<unknown>[] = first === undefined || this.#begun
      ? []
      : [this.#begin(first)];
    writes.push(store.append(id, encodeRecord(record), now(), turnChange(record)));
    const name = this.#nameIn(record);
    if (name !== undefined) writes.push(store.setTitle(id, name));
    for (const outcome of await Promise.allSettled(writes)) {
      // The first says why.
      if (outcome.status === "rejected") throw outcome.reason;
    }
  }

  async #begin(first: NewStoredSession): Promise<void> {
    this.#begun = true;
    try {
      await this.#parts.store.create(first);
    } catch (error) {
      this.#begun = false;
      throw error;
    }
  }

  /** The name that a record gives the session in lists, if it does. */
  #nameIn(record: SessionRecord): string | undefined {
    if (record.type === "title") return record.title;
    if (this.#named || record.type !== "message" || record.message.role !== "user") {
      return undefined;
    }
    this.#named = true;
    return firstLine(messageText(record.message));
  }

  /** Counts and keeps the tokens of requests outside of turns. */
  async #spend(model: string, { usage }: Quota): Promise<void> {
    if (usage.total_tokens === 0) return;
    this.#count(usage);
    const { prompt_tokens, completion_tokens } = usage;
    const event = { type: "usage" as const, model, prompt_tokens, completion_tokens };
    await this.log.append({ type: "event", time: this.#time(), event });
  }

  #count({ prompt_tokens, completion_tokens }: Session["usage"]): void {
    const { usage } = this.session;
    usage.prompt_tokens += prompt_tokens;
    usage.completion_tokens += completion_tokens;
  }

  #time(): string {
    return new Date(this.#parts.now()).toISOString();
  }
}

/** The change that a record makes to the turns of a stored session. */
export function turnChange(record: SessionRecord): TurnChange | undefined {
  if (record.type === "clear") return "clear";
  // A turn that the user stopped did not fail.
  if (record.type === "event" && record.event.type === "error") {
    return record.event.name === "AbortError" ? undefined : "fail";
  }
  return beginsTurn(record) ? "begin" : undefined;
}
