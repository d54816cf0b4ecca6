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
import { type ChatItem, itemsOf } from "./chat_items.ts";
import { parseLines, parseSession } from "./chat_records.ts";

/** A session as it was kept. */
export interface KeptSession {
  /** The conversation, ready for the next turn. */
  readonly messages: Message[];
  /** How many lines it has. */
  readonly lines: number;
  /** Whether it has its final title. */
  readonly titled: boolean;
  /** Keeps what happens. */
  readonly log: SessionLog;
  /** Lets other programs write it. */
  release(): Promise<void>;
}

/** A session as the list shows it. */
export interface ListedSession {
  readonly session: StoredSession;
  /** Whether it belongs to the working folder: others cannot be continued here. */
  readonly here: boolean;
  /** The other program that writes it now. */
  readonly openIn: Writer | undefined;
}

/** What the page shows of a session. */
export interface SessionView {
  readonly items: ChatItem[];
  /** How many items there are before these. */
  readonly earlier: number;
  /** Tokens of all its turns. */
  readonly usage: { prompt_tokens: number; completion_tokens: number };
}

/** The sessions: records of `coder/` in a store of lines. */
export class ChatSessions {
  readonly #store: SessionStore;
  readonly #all: Conversations;
  readonly #now: () => number;

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
  async list(limit: number, elsewhere: number): Promise<ListedSession[]> {
    const [here, others] = await Promise.all([
      this.#all.list(limit),
      this.#all.listElsewhere(elsewhere),
    ]);
    const listed = async (session: StoredSession, here: boolean): Promise<ListedSession> => ({
      ...{ session, here },
      openIn: await this.#all.otherWriter(session),
    });
    return await Promise.all([
      ...here.map((session) => listed(session, true)),
      ...others.map((session) => listed(session, false)),
    ]);
  }

  /** The session of the folder that a browser used last. */
  async latest(owner: string): Promise<string | undefined> {
    return (await this.#all.list(1, owner))[0]?.id;
  }

  /** Facts about a session. */
  get(id: string): Promise<StoredSession | undefined> {
    return this.#all.get(id);
  }

  /** Why a session that there is cannot be continued here now, if so. */
  async problem(id: string): Promise<SessionError | undefined> {
    const session = await this.#all.get(id);
    return session === undefined ? undefined : await this.#all.problemOf(session);
  }

  /**
   * The conversation of a session that is to be continued, which no other program can write until
   * it is released. A new session is created.
   *
   * @throws {SessionError} It belongs to another folder, or another program has it.
   */
  async open(id: string, owner: string): Promise<KeptSession> {
    const conversation = await this.#all.open(id, owner);
    const { session: { messages, title }, lines, log } = conversation;
    return {
      ...{ messages, lines, log, titled: title !== undefined },
      release: () => conversation[Symbol.asyncDispose](),
    };
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
    await using conversation = await this.#all.open(id);
    const time = new Date(this.#now()).toISOString();
    await conversation.log.append({ type: "clear", time, messages: [] });
    await this.#store.setTitle(id, "");
  }

  /**
   * Removes a session, of any folder.
   *
   * @throws {SessionError} There is none, or another program has it.
   */
  remove(id: string): Promise<void> {
    return this.#all.remove(id);
  }

  /** The items to show, from the first `most` lines or from all. */
  async view(id: string, items: number, most?: number): Promise<SessionView> {
    const lines = (await this.#store.lines(id)).slice(0, most);
    const records = parseSession(lines);
    const { usage } = records.length === 0
      ? { usage: { prompt_tokens: 0, completion_tokens: 0 } }
      : resume(records);
    const all = itemsOf(parseLines(lines));
    return { items: all.slice(-items), earlier: Math.max(0, all.length - items), usage };
  }

  /** Gives a session its final title. */
  async entitle(id: string, title: string): Promise<void> {
    if (title === "" || (await this.#store.get(id)) === undefined) return;
    await this.log(id).append({ type: "title", time: new Date(this.#now()).toISOString(), title });
    await this.#store.setTitle(id, title);
  }
}
