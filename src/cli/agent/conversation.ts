import type { AgentEvent } from "../../agent/mod.ts";
import {
  type AskUser,
  type CoderResult,
  compact,
  defaultCoderLimits,
  Grants,
  run,
  type Session,
  title,
} from "../../coder/mod.ts";
import type { AgentSessions, OpenSession } from "./sessions.ts";
import type { OpenCoder } from "../open_coder.ts";

/** Conversations with the coding agent, one at a time, each stored as it happens. */
export class AgentConversation implements Disposable {
  readonly #coder: OpenCoder;
  readonly #sessions: AgentSessions;
  readonly #end = new AbortController();
  #open: OpenSession;
  /** What the user has allowed for the session that is open. */
  #grants: { readonly session: Session; readonly grants: Grants } | undefined;
  /** The model of the next turn. */
  model: string;

  /** Begins a new session. */
  constructor(coder: OpenCoder, sessions: AgentSessions) {
    this.#coder = coder;
    this.#sessions = sessions;
    this.model = coder.turn.model;
    this.#open = sessions.create(coder.root, this.model);
  }

  /** The session as it is now. */
  get session(): Session {
    return this.#open.session;
  }

  /** Sessions of the working folder, latest change first, at most `most`. */
  list(most: number): Promise<Session[]> {
    return this.#sessions.list(this.#coder.root, most);
  }

  /** Goes on with a session. */
  async resume(id: string): Promise<void> {
    if (id === this.session.id) return;
    const open = await this.#sessions.open(id);
    this.#open[Symbol.dispose]();
    this.#open = open;
  }

  /**
   * Runs a turn. If `show` rejects, the turn is stopped and this rejects too. Where `ask` is absent,
   * nobody can be asked for what is beyond the boundary.
   */
  async turn(
    input: string,
    signal: AbortSignal,
    show: (event: AgentEvent) => Promise<void>,
    ask?: AskUser,
  ): Promise<CoderResult> {
    const { session, log } = this.#open;
    const { messages } = session;
    const { model } = this;
    if (this.#grants?.session !== session) this.#grants = { session, grants: new Grants() };
    const { grants } = this.#grants;
    const turn = run({
      ...this.#coder.turnWith({ grants, ask }),
      ...{ input, messages, model, signal, log },
    });
    for await (const event of turn.events) await show(event);
    const result = await turn.result;
    session.messages = result.messages;
    session.usage.prompt_tokens += result.usage.prompt_tokens;
    session.usage.completion_tokens += result.usage.completion_tokens;
    return result;
  }

  /**
   * Gives the session a title for lists, if it has none. A failure of the model is not reported.
   */
  async giveTitle(): Promise<void> {
    const { session, log } = this.#open;
    if (session.title !== undefined || session.messages.length === 0) return;
    const { client, smallModel } = this.#coder.turn;
    session.title = "";
    try {
      const text = await title(session.messages, {
        ...{ client, model: smallModel, signal: this.#end.signal },
      });
      if (this.#end.signal.aborted) return;
      session.title = text;
      await log.append({ type: "title", time: now(), title: text });
    } catch {
      // The beginning of the first message is used as its name then.
    }
  }

  /** Forgets what was said. */
  async clear(): Promise<void> {
    const { session, log } = this.#open;
    if (session.messages.length === 0) return;
    session.messages = [];
    this.#grants = undefined;
    await log.append({ type: "clear", time: now(), messages: [] });
  }

  /** Compacts the conversation; returns the tokens before and after. */
  async compact(signal: AbortSignal): Promise<{ before: number; after: number }> {
    const { session, log } = this.#open;
    const { client, smallModel, limits } = this.#coder.turn;
    const { keepTokens } = { ...defaultCoderLimits, ...limits };
    const { messages, before, after } = await compact(session.messages, {
      ...{ client, model: smallModel, signal },
      // A user who asks for it wants a shorter conversation even if all messages are recent.
      keepTokens: Math.min(keepTokens, 2000),
    });
    session.messages = messages;
    await log.append({ type: "compaction", time: now(), messages, before, after });
    return { before, after };
  }

  /** Closes the session's file. */
  [Symbol.dispose](): void {
    this.#end.abort();
    this.#open[Symbol.dispose]();
  }
}

function now(): string {
  return new Date().toISOString();
}
