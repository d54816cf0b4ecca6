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

/** Conversations with the coding agent, one at a time. Each message is stored as it comes. */
export class AgentConversation implements AsyncDisposable {
  readonly #coder: OpenCoder;
  readonly #all: Conversations;
  readonly #end = new AbortController();
  #open: Conversation;
  /** Permissions that the user has granted for the open session. */
  #grants: { readonly session: Session; readonly grants: Grants } | undefined;
  /** The model of the next turn. */
  model: string;

  /** Begins a new session. `warn` gets a message for each session that cannot be read. */
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

  /** The current session. */
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
   * Continues a session.
   *
   * @throws {SessionError} It belongs to another folder, or another program has it open.
   */
  async resume(id: string): Promise<void> {
    if (id === this.session.id) return;
    await this.#goTo(await this.#all.open(id));
  }

  /** Reads a stored session without continuing it. */
  read(id: string): Promise<Session> {
    return this.#all.read(id);
  }

  /** Begins a new session. Resolves to the session before, or `undefined` if that is empty. */
  async clear(): Promise<Session | undefined> {
    const { session } = this;
    if (session.messages.length === 0) return undefined;
    await this.#goTo(this.#all.create());
    return session;
  }

  /**
   * Runs a turn. If `show` rejects, the turn is stopped and this rejects, too. Without `ask`, calls
   * that need an approval are refused.
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
   * Gives the session a title for lists, unless it has one. A failure of the model is not reported.
   */
  async giveTitle(): Promise<void> {
    const { client, smallModel: model } = this.#coder.turn;
    await this.#open.giveTitle({ client, model, signal: this.#end.signal });
  }

  /** Compacts the conversation; resolves to the estimated tokens before and after. */
  async compact(signal: AbortSignal): Promise<{ before: number; after: number }> {
    const { client, smallModel: model, limits } = this.#coder.turn;
    const { keepTokens } = { ...defaultCoderLimits, ...limits };
    return await this.#open.compact({
      ...{ client, model, signal },
      // A user who asks for this wants a shorter conversation even if all messages are recent.
      keepTokens: Math.min(keepTokens, 2000),
    });
  }

  /** Closes the session, so that other programs can continue it. */
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
