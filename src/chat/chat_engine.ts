import { type ApprovalAnswer, SessionError } from "../coder/mod.ts";
import { type BusReader, memoryEventBus } from "../store/mod.ts";
import { ChatAsks } from "./asks.ts";
import { ChatError, noSession } from "./chat_error.ts";
import { exportChat, type ExportedChat } from "./export.ts";
import { type ChatEngineLimits, defaultChatEngineLimits } from "./limits.ts";
import type { ListReader } from "./list_watcher.ts";
import {
  type ListedSession,
  type ListSource,
  type ShownWriter,
  shownWriter,
} from "./listed_session.ts";
import type { ChatEngineOptions } from "./options.ts";
import { OtherPrograms } from "./others.ts";
import { ChatQueue } from "./queue.ts";
import type { QueuedMessage } from "./records.ts";
import { type ChatRun, ChatRuns } from "./runs.ts";
import { type FoundSessions, searchChats } from "./search.ts";
import { isSessionName } from "./session_name.ts";
import { ChatSessions, type SessionView } from "./sessions.ts";
import { ChatStates } from "./states.ts";
import { ChatTitles } from "./titles.ts";
import { stoppingError, type TurnRequest, Turns } from "./turns.ts";

/** A session with its conversation. */
export interface ShownSession extends SessionView {
  readonly id: string;
  /** May be empty. */
  readonly title: string;
  /** See {@linkcode ListedSession.version}. */
  readonly version: number;
  /** Messages that wait for the end of the turn. */
  readonly queued: readonly QueuedMessage[];
  /** The other program that writes to it now. */
  readonly writer: ShownWriter | null;
  /** The running turn, whose events are not among the items. */
  readonly run: { readonly id: string; readonly message: string } | null;
}

/**
 * A chat with an agent, for any front: turns that run while nobody reads them, sessions with their
 * states and titles, queued messages, questions to the user, search and export.
 *
 * Every method that names a session, turn or message throws a {@linkcode ChatError} of the kind
 * `missing` if it does not exist, and a `SessionError` if another folder or program has the session.
 */
export class ChatEngine {
  readonly #limits: ChatEngineLimits;
  readonly #sessions: ChatSessions;
  readonly #runs: ChatRuns;
  readonly #titles: ChatTitles;
  readonly #queue: ChatQueue;
  readonly #states: ChatStates;
  readonly #lists: ListSource;
  readonly #turns: Turns;
  readonly #asks = new ChatAsks();
  readonly #stopping = new AbortController();

  /** Starts nothing yet. */
  constructor(options: ChatEngineOptions) {
    const { now = Date.now, bus = memoryEventBus(), onError = () => {} } = options;
    const stopping = this.#stopping.signal;
    const limits = this.#limits = { ...defaultChatEngineLimits, ...options.limits };
    const { store, about, writers } = options;
    const sessions = this.#sessions = new ChatSessions(store, about, now, writers);
    const titles = this.#titles = new ChatTitles(sessions, stopping, {
      ...options,
      onTitle: (session) => states.changed(session),
    });
    const runs = this.#runs = new ChatRuns(bus, limits);
    const queue = this.#queue = new ChatQueue(sessions, onError);
    const states = this.#states = new ChatStates(runs, queue, now());
    const lists = this.#lists = {
      list: async () => {
        const listed = await sessions.list(limits.listed, limits.listedElsewhere);
        return listed.map((it) => states.of(it));
      },
      get: async (id) => {
        const session = await sessions.inList(id);
        return session === undefined ? undefined : states.of(session);
      },
    };
    states.lookWith(
      new OtherPrograms({
        pause: limits.others,
        changes: () => store.changes(),
        list: () => lists.list(),
        rewritten: (session) => states.rewrittenElsewhere(session),
        changed: (session) => states.changedElsewhere(session),
        onError,
      }),
    );
    this.#turns = new Turns({
      ...{ options, limits, sessions, runs, queue, states, titles, stopping },
      asks: this.#asks,
    });
  }

  /** The number of running turns. */
  get running(): number {
    return this.#runs.size;
  }

  /** Accepts no more turns, stops the running ones, and waits until they have ended. */
  async stop(): Promise<void> {
    this.#stopping.abort(new DOMException("The server ends", "AbortError"));
    this.#states.stop();
    await this.#runs.stopAll();
    await this.#titles.ended();
  }

  /**
   * Begins a turn.
   *
   * @throws {ChatError} No turn can begin now.
   * @throws {SessionError} The session belongs to another folder or program.
   */
  begin(request: TurnRequest): Promise<ChatRun> {
    return this.#turns.begin(request);
  }

  /** A running turn. */
  run(id: string): ChatRun {
    const run = this.#runs.get(id);
    if (run !== undefined) return run;
    throw new ChatError("missing", "There is no such turn, or it has ended");
  }

  /**
   * Reads the events of a turn after the event number `after`; see `EventBus.read()`. Turns that
   * ended a while ago are forgotten.
   *
   * @throws {ChatError} The turn is not known, or has too many readers.
   */
  read(run: string, after: number): BusReader {
    return this.#runs.read(run, after);
  }

  /** Answers a question of a turn. */
  answer(run: string, ask: string, answer: ApprovalAnswer): void {
    if (this.#asks.answer(run, ask, answer)) return;
    throw new ChatError("missing", "This needs no answer any more");
  }

  /** See {@linkcode ListedSession.version}. */
  version(session: string): number {
    return this.#states.version(session);
  }

  /** The sessions, those of the working folder first. */
  list(): Promise<readonly ListedSession[]> {
    return this.#lists.list();
  }

  /** Searches the sessions for words, separated by blanks. */
  async search(words: string, signal: AbortSignal): Promise<FoundSessions> {
    const lines = (id: string) => this.#sessions.lines(id);
    return await searchChats(await this.#lists.list(), words, lines, signal);
  }

  /**
   * Reads the list of sessions, then its changes. The reader must be closed with `return()`.
   *
   * @throws {ChatError} There are too many readers.
   */
  watch(): ListReader {
    const { watchers } = this.#limits;
    if (this.#stopping.signal.aborted) throw stoppingError();
    if (this.#states.watchers >= watchers) {
      const message = `There are ${watchers} readers of lists, which is the limit`;
      throw new ChatError("limit", message, 30);
    }
    return this.#states.watch(this.#lists);
  }

  /** A session with its conversation. */
  async show(id: string): Promise<ShownSession> {
    const session = isSessionName(id) ? await this.#sessions.get(id) : undefined;
    if (session === undefined) throw noSession();
    const problem = (await this.#sessions.problem(id))?.problem;
    if (problem?.kind === "elsewhere") throw new SessionError(problem);
    // The lines of the running turn are left out: they come with its events.
    const run = this.#runs.of(id);
    const version = this.#states.version(id);
    const view = await this.#sessions.view(id, this.#limits.items, run?.lines);
    return {
      id,
      title: session.title,
      version,
      ...view,
      queued: await this.#queue.read(id),
      writer: shownWriter(problem?.kind === "busy" ? problem.writer : undefined),
      run: run === undefined ? null : { id: run.id, message: run.message },
    };
  }

  /** Stops the turn of a session and clears its conversation. Default: the owner's last session. */
  async clear(named: string | undefined, owner: string): Promise<void> {
    const session = named ?? await this.#sessions.latest(owner);
    if (session === undefined) return;
    await this.#turns.halted(session, () => this.#sessions.clear(session));
    this.#states.rewritten(session);
  }

  /** Stops the turn of a session and removes it. */
  async remove(id: string): Promise<void> {
    if (!isSessionName(id) || await this.#sessions.get(id) === undefined) throw noSession();
    await this.#turns.halted(id, () => this.#sessions.remove(id));
    this.#queue.forget(id);
    this.#states.removed(id);
  }

  /** Renames a session. */
  async rename(id: string, title: string): Promise<void> {
    await this.#writable(id);
    await this.#sessions.rename(id, title);
    this.#states.changed(id);
  }

  /** Exports a session as Markdown. */
  async export(id: string): Promise<ExportedChat> {
    await this.#known(id);
    const session = await this.#sessions.get(id);
    if (session === undefined) throw noSession();
    const problem = await this.#sessions.problem(id);
    if (problem?.problem.kind === "elsewhere") throw problem;
    return exportChat(session.title, await this.#sessions.items(id));
  }

  /** The queued messages of a session. */
  async queued(id: string): Promise<readonly QueuedMessage[]> {
    await this.#known(id);
    return await this.#queue.read(id);
  }

  /**
   * Queues a message until the running turn is done.
   *
   * @throws {ChatError} The queue is full.
   */
  async enqueue(id: string, message: string): Promise<QueuedMessage> {
    if (this.#stopping.signal.aborted) throw stoppingError();
    await this.#writable(id);
    const { queued } = this.#limits;
    if ((await this.#queue.read(id)).length >= queued) {
      const why = `There are ${queued} messages waiting, which is the limit: take one back`;
      throw new ChatError("limit", why);
    }
    const added = await this.#queue.add(id, message);
    this.#states.changed(id);
    // The turn may have ended meanwhile.
    if (this.#queue.of(id)[0]?.id === added.id) this.#turns.beginNext(id);
    return added;
  }

  /** Takes a queued message back. */
  async takeBack(id: string, message: string): Promise<QueuedMessage> {
    await this.#known(id);
    await this.#queue.read(id);
    const taken = this.#queue.take(id, message);
    if (taken === undefined) {
      throw new ChatError("missing", "There is no such message, or it was sent already");
    }
    this.#states.changed(id);
    return taken;
  }

  /** Checks that a session exists, or is about to be stored. */
  async #known(id: string): Promise<void> {
    if (!isSessionName(id)) throw noSession();
    if (this.#runs.of(id) === undefined && await this.#sessions.get(id) === undefined) {
      throw noSession();
    }
  }

  /** Checks that a session exists and can be changed here. */
  async #writable(id: string): Promise<void> {
    await this.#known(id);
    const problem = await this.#sessions.problem(id);
    if (problem !== undefined) throw problem;
  }
}
