import {
  encodeRecord,
  newSession,
  parseSessionLog,
  resume,
  sessionLabel,
  type SessionLog,
  type SessionRecord,
} from "../coder/mod.ts";
import type { Message } from "../llm/mod.ts";
import type { SessionStore, StoredSession } from "../store/mod.ts";
import { type ChatItem, itemsOf } from "./chat_items.ts";

/** A session as it was kept. */
export interface KeptSession {
  /** The conversation, ready to go on with. */
  readonly messages: Message[];
  /** How many lines it has. */
  readonly lines: number;
  /** Whether it has a title that is for good. */
  readonly titled: boolean;
}

/** What the page shows of a session. */
export interface SessionView {
  readonly items: ChatItem[];
  /** Tokens of all its turns. */
  readonly usage: { prompt_tokens: number; completion_tokens: number };
}

/** The sessions: their records of `coder/`, in a store of lines. */
export class ChatSessions {
  readonly #store: SessionStore;
  readonly #about: { root: string; model: string };
  readonly #now: () => number;

  constructor(store: SessionStore, about: { root: string; model: string }, now: () => number) {
    this.#store = store;
    this.#about = about;
    this.#now = now;
  }

  /** The sessions of a browser, the latest in front. */
  list(owner: string, limit: number): Promise<StoredSession[]> {
    return this.#store.list(owner, limit);
  }

  /** What is known of a session. */
  get(id: string): Promise<StoredSession | undefined> {
    return this.#store.get(id);
  }

  /** The conversation of a session, which is begun if there is none. */
  async open(id: string, owner: string): Promise<KeptSession> {
    const records = await this.#records(id);
    if (records.length > 0) {
      const { messages, title } = resume(records);
      return { messages, lines: records.length, titled: title !== undefined };
    }
    const time = this.#now();
    await this.#store.create({ id, owner, time });
    const { record } = newSession({ ...this.#about, id, now: this.#now });
    await this.#store.append(id, encodeRecord(record), time);
    return { messages: [], lines: 1, titled: false };
  }

  /** Where a turn keeps what happens. */
  log(id: string): SessionLog {
    return {
      append: (record) => this.#store.append(id, encodeRecord(record), this.#now()),
    };
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

  /** What there is to show, of the first `lines` records or of all. */
  async view(id: string, most: number, lines?: number): Promise<SessionView> {
    const records = (await this.#records(id)).slice(0, lines);
    const { usage } = records.length === 0
      ? { usage: { prompt_tokens: 0, completion_tokens: 0 } }
      : resume(records);
    return { items: itemsOf(records).slice(-most), usage };
  }

  /** Names a session that has no title by its first message, until there is a better one. */
  async label(id: string, message: string): Promise<void> {
    const session = await this.#store.get(id);
    if (session === undefined || session.title !== "") return;
    const messages: Message[] = [{ role: "user", content: message }];
    const { session: named } = newSession({ ...this.#about, id, now: this.#now });
    await this.#store.setTitle(id, sessionLabel({ ...named, messages }));
  }

  /** Gives a session a title for good. */
  async entitle(id: string, title: string): Promise<void> {
    if (title === "" || (await this.#store.get(id)) === undefined) return;
    await this.log(id).append({ type: "title", time: new Date(this.#now()).toISOString(), title });
    await this.#store.setTitle(id, title);
  }

  async #records(id: string): Promise<SessionRecord[]> {
    return parseSessionLog((await this.#store.lines(id)).join("")).records;
  }
}
