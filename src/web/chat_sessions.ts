import {
  encodeRecord,
  newSession,
  resume,
  sessionLabel,
  type SessionLog,
  type SessionRecord,
} from "../coder/mod.ts";
import type { Message } from "../llm/mod.ts";
import type { SessionStore, StoredSession, TurnChange } from "../store/mod.ts";
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
  readonly #about: { root: string; model: string };
  readonly #now: () => number;

  constructor(store: SessionStore, about: { root: string; model: string }, now: () => number) {
    this.#store = store;
    this.#about = about;
    this.#now = now;
  }

  /**
   * The sessions of a browser, latest first. Only sessions whose turns have never been counted are
   * read.
   */
  async list(owner: string, limit: number): Promise<StoredSession[]> {
    const sessions = await this.#store.list(owner, limit);
    return await Promise.all(sessions.map((session) => this.#counted(session)));
  }

  /** The session that a browser used last. */
  async latest(owner: string): Promise<string | undefined> {
    return (await this.#store.list(owner, 1))[0]?.id;
  }

  /** Facts about a session. */
  get(id: string): Promise<StoredSession | undefined> {
    return this.#store.get(id);
  }

  /**
   * The conversation of a session that is to be continued with a message. A new session is created;
   * one without a title gets the message as its title until there is a better one.
   */
  async open(id: string, owner: string, message: string): Promise<KeptSession> {
    const { session, record } = newSession({ ...this.#about, id, now: this.#now });
    const label = () =>
      sessionLabel({ ...session, messages: [{ role: "user", content: message }] });
    const lines = await this.#store.lines(id);
    if (lines.length === 0) {
      const first = { line: encodeRecord(record), title: label() };
      await this.#store.create({ id, owner, time: this.#now(), first });
      return { messages: [], lines: 1, titled: false };
    }
    const { messages, title } = resume(parseSession(lines));
    if ((await this.#store.get(id))?.title === "") await this.#store.setTitle(id, label());
    return { messages, lines: lines.length, titled: title !== undefined };
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

  /** Forgets the conversation of a session, but not the session. */
  async clear(id: string): Promise<void> {
    if ((await this.#store.get(id)) === undefined) return;
    const time = new Date(this.#now()).toISOString();
    await this.log(id).append({ type: "clear", time, messages: [] });
    await this.#store.setTitle(id, "");
  }

  /** Removes a session. */
  remove(id: string): Promise<void> {
    return this.#store.remove(id);
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

  /** Counts the turns of a session from before they were counted as they began. */
  async #counted(session: StoredSession): Promise<StoredSession> {
    if (session.turns !== undefined) return session;
    let turns = 0;
    for (const record of parseSession(await this.#store.lines(session.id))) {
      const change = turnChange(record);
      if (change !== undefined) turns = change === "clear" ? 0 : turns + 1;
    }
    await this.#store.setTurns(session.id, turns);
    return { ...session, turns };
  }
}

function turnChange(record: SessionRecord): TurnChange | undefined {
  if (record.type === "clear") return "clear";
  return record.type === "message" && record.message.role === "user" ? "begin" : undefined;
}
