import {
  Conversations,
  encodeRecord,
  resume,
  type SessionError,
  type SessionLog,
  turnChange,
  type Writer,
  type Writers,
} from "../coder/mod.ts";
import type { Message } from "../llm/mod.ts";
import type { SessionStore, StoredSession } from "../store/mod.ts";
import { type ChatItem, itemsOf } from "./items.ts";
import { lastQueue, parseLines, parseSession, type QueuedMessage, queueLine } from "./records.ts";

/** A stored session, opened for a turn. */
export interface KeptSession {
  /** The conversation, ready for the next turn. */
  readonly messages: Message[];
  /** The number of its lines. */
  readonly lines: number;
  /** True if it has its final title. */
  readonly titled: boolean;
  /** Stores the records of a turn. */
  readonly log: SessionLog;
  /** Lets other programs write to it again. */
  release(): Promise<void>;
}

/** A session of the list, and whether it can be continued. */
export interface SessionInList {
  readonly session: StoredSession;
  /** True if it belongs to the working folder. Others cannot be continued here. */
  readonly here: boolean;
  /** The other program that writes to it now. */
  readonly openIn: Writer | undefined;
}

/** A conversation as it is shown. */
export interface SessionView {
  readonly items: ChatItem[];
  /** The number of items before these. */
  readonly earlier: number;
  /** The number of turns since it began or was cleared. */
  readonly turns: number;
  /** Tokens of all its turns. */
  readonly usage: { prompt_tokens: number; completion_tokens: number };
  /** True if its last turn has no end. */
  readonly interrupted: boolean;
}

/** The sessions: records of `coder/` in a store of lines. */
export class ChatSessions {
  readonly #store: SessionStore;
  readonly #all: Conversations;
  readonly #now: () => number;
  /** Sessions whose users gave them titles since the program began. */
  readonly #renamed: Set<string> = new Set();

  constructor(
    store: SessionStore,
    about: { root: string; model: string },
    now: () => number,
    writers?: Writers,
  ) {
    this.#store = store;
    this.#all = new Conversations({ store, writers, now, ...about });
    this.#now = now;
  }

  /**
   * The sessions of the folder, latest first, and then those of other folders. Only sessions whose
   * turns have never been counted are read.
   */
  async list(limit: number, elsewhere: number): Promise<SessionInList[]> {
    const [here, others] = await Promise.all([
      this.#all.list(limit),
      this.#all.listElsewhere(elsewhere),
    ]);
    return await Promise.all([...here, ...others].map((session) => this.#inList(session)));
  }

  /** A session as it is in the list. */
  async inList(id: string): Promise<SessionInList | undefined> {
    const session = await this.#all.get(id);
    return session === undefined ? undefined : await this.#inList(session);
  }

  async #inList(session: StoredSession): Promise<SessionInList> {
    const openIn = await this.#all.otherWriter(session);
    return { session, here: this.#all.isHere(session), openIn };
  }

  /** The session of the folder that a browser used last. */
  async latest(owner: string): Promise<string | undefined> {
    return (await this.#all.list(1, owner))[0]?.id;
  }

  /** Facts about a session. */
  get(id: string): Promise<StoredSession | undefined> {
    return this.#all.get(id);
  }

  /** The reason why a session cannot be continued here now, if there is one. */
  async problem(id: string): Promise<SessionError | undefined> {
    const session = await this.#all.get(id);
    return session === undefined ? undefined : await this.#all.problemOf(session);
  }

  /**
   * The conversation of a session that is to be continued, which no other program can write until
   * it is released. A new session is created.
   *
   * @param after How many turns of it stay. Default: all.
   *
   * @throws {SessionError} It belongs to another folder, or another program has it.
   */
  async open(id: string, owner: string, after = Infinity): Promise<KeptSession> {
    const conversation = await this.#all.open(id, owner);
    const release = () => conversation[Symbol.asyncDispose]();
    try {
      const { session: { messages, title }, lines, log } = conversation;
      const kept = { log, titled: title !== undefined, release };
      if (await this.turns(id) <= after) return { ...kept, messages, lines };
      const time = new Date(this.#now()).toISOString();
      await log.append({ type: "cut", time, turns: after });
      await this.#store.setTurns(id, after);
      return { ...kept, messages: (await this.#all.read(id)).messages, lines: lines + 1 };
    } catch (error) {
      await release();
      throw error;
    }
  }

  /** The log in which a turn stores what happens. */
  log(id: string): SessionLog {
    return {
      append: (record) =>
        this.#store.append(id, encodeRecord(record), this.#now(), turnChange(record)),
    };
  }

  /** Stores a line for the page. */
  keep(id: string, line: string): Promise<void> {
    return this.#store.append(id, line, this.#now());
  }

  /**
   * Forgets the conversation of a session, but not the session.
   *
   * @throws {SessionError} It belongs to another folder, or another program has it.
   */
  async clear(id: string): Promise<void> {
    if ((await this.#store.get(id)) === undefined) return;
    const conversation = await this.#all.open(id);
    try {
      const time = new Date(this.#now()).toISOString();
      await conversation.log.append({ type: "clear", time, messages: [] });
      await this.#store.setTitle(id, "");
    } finally {
      // Node 20 knows no `await using`.
      await conversation[Symbol.asyncDispose]();
    }
  }

  /**
   * Removes a session, of any folder.
   *
   * @throws {SessionError} There is none, or another program has it.
   */
  remove(id: string): Promise<void> {
    this.#renamed.delete(id);
    return this.#all.remove(id);
  }

  /** The items to show, from the first `most` lines or from all. */
  async view(id: string, items: number, most?: number): Promise<SessionView> {
    const lines = (await this.#store.lines(id)).slice(0, most);
    const records = parseSession(lines);
    const { usage, interrupted = false } = records.length === 0
      ? { usage: { prompt_tokens: 0, completion_tokens: 0 } }
      : resume(records);
    const all = itemsOf(parseLines(lines));
    return {
      items: all.slice(-items),
      earlier: Math.max(0, all.length - items),
      turns: all.filter(({ type }) => type === "user").length,
      usage,
      interrupted,
    };
  }

  /** All items of a session. */
  async items(id: string): Promise<ChatItem[]> {
    return itemsOf(parseLines(await this.#store.lines(id)));
  }

  /** The stored lines of a session. */
  lines(id: string): Promise<string[]> {
    return this.#store.lines(id);
  }

  /** The messages that were waiting in a session when the program ended. */
  async queued(id: string): Promise<QueuedMessage[]> {
    return lastQueue(await this.#store.lines(id));
  }

  /** Stores which messages wait in a session, if there is one. */
  async keepQueue(id: string, messages: readonly QueuedMessage[]): Promise<void> {
    if (await this.#store.get(id) !== undefined) await this.keep(id, queueLine(messages));
  }

  /** Gives a session the title that was made for it, unless its user has given it one meanwhile. */
  async entitle(id: string, title: string): Promise<void> {
    if (!this.#renamed.has(id)) await this.#entitle(id, title);
  }

  /** Gives a session the title that its user wants. */
  async rename(id: string, title: string): Promise<void> {
    this.#renamed.add(id);
    await this.#entitle(id, title);
  }

  /** The number of turns of a session. */
  async turns(id: string): Promise<number> {
    const stored = await this.#store.get(id);
    if (stored === undefined) return 0;
    return stored.turns ?? (await this.items(id)).filter(({ type }) => type === "user").length;
  }

  async #entitle(id: string, title: string): Promise<void> {
    if (title === "" || (await this.#store.get(id)) === undefined) return;
    await this.log(id).append({ type: "title", time: new Date(this.#now()).toISOString(), title });
    await this.#store.setTitle(id, title);
  }
}
