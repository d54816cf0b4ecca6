import type { AgentEvent } from "../../agent/mod.ts";
import {
  type AskUser,
  type CoderResult,
  type Conversation,
  Conversations,
  defaultCoderLimits,
  Grants,
  type Session,
} from "../../coder/mod.ts";
import type { StoredSession } from "../../store/mod.ts";
import type { OpenCoder } from "../coder/mod.ts";
import type { SessionHome } from "../sessions/sessions.ts";

/** Conversations with the coding agent, one at a time, each stored as it happens. */
export class AgentConversation implements AsyncDisposable {
  readonly #coder: OpenCoder;
  readonly #all: Conversations;
  readonly #end = new AbortController();
  #open: Conversation;
  /** What the user has allowed for the session that is open. */
  #grants: { readonly session: Session; readonly grants: Grants } | undefined;
  /** The model of the next turn. */
  model: string;

  /** Begins a new session. `warn` is told what could not be read. */
  constructor(
    coder: OpenCoder,
    { store, writers }: SessionHome,
    warn: (message: string) => void,
  ) {
    const { root, turn: { model } } = coder;
    this.#coder = coder;
    this.#all = new Conversations({ ...{ store, writers, root, model, warn } });
    this.model = model;
    this.#open = this.#all.create();
  }

  /** The session as it is now. */
  get session(): Session {
    return this.#open.session;
  }

  /** Sessions of the working folder, latest change first, at most `most`. */
  list(most: number): Promise<StoredSession[]> {
    return this.#all.list(most);
  }

  /** Sessions of other folders, latest change first, at most `most`. */
  listElsewhere(most: number): Promise<StoredSession[]> {
    return this.#all.listElsewhere(most);
  }

  /**
   * Goes on with a session.
   *
   * @throws {SessionError} It belongs to another folder, or another program has it.
   */
  async resume(id: string): Promise<void> {
    if (id === this.session.id) return;
    await this.#goTo(await this.#all.open(id));
  }

  /** A session as it is kept, without going on with it. */
  read(id: string): Promise<Session> {
    return this.#all.read(id);
  }

  /** Begins a new session; resolves to the one before, if anything was said in it. */
  async clear(): Promise<Session | undefined> {
    const { session } = this;
    if (session.messages.length === 0) return undefined;
    await this.#goTo(this.#all.create());
    return session;
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
    const { model } = this;
    const { session } = this;
    if (this.#grants?.session !== session) this.#grants = { session, grants: new Grants() };
    const { grants } = this.#grants;
    const options = { ...this.#coder.turnWith({ grants, ask }), ...{ input, model, signal } };
    const turn = this.#open.turn(options);
    for await (const event of turn.events) await show(event);
    return await turn.result;
  }

  /**
   * Gives the session a title for lists, if it has none. A failure of the model is not reported.
   */
  async giveTitle(): Promise<void> {
    const { client, smallModel: model } = this.#coder.turn;
    await this.#open.giveTitle({ client, model, signal: this.#end.signal });
  }

  /** Compacts the conversation; returns the tokens before and after. */
  async compact(signal: AbortSignal): Promise<{ before: number; after: number }> {
    const { client, smallModel: model, limits } = this.#coder.turn;
    const { keepTokens } = { ...defaultCoderLimits, ...limits };
    return await this.#open.compact({
      ...{ client, model, signal },
      // A user who asks for it wants a shorter conversation even if all messages are recent.
      keepTokens: Math.min(keepTokens, 2000),
    });
  }

  /** Lets other programs go on with the session. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort();
    await this.#open[Symbol.asyncDispose]();
  }

  async #goTo(next: Conversation): Promise<void> {
    const before = this.#open;
    this.#open = next;
    await before[Symbol.asyncDispose]();
  }
}
