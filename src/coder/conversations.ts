import type { SessionStore, StoredSession } from "../store/mod.ts";
import { Conversation, turnChange } from "./conversation.ts";
import { newSession, resume, type Session } from "./session.ts";
import { SessionError } from "./session_error.ts";
import { encodeRecord, parseSessionLog } from "./session_log.ts";
import { withoutCut } from "./without_cut.ts";
import { encodeWriter, onlyWriter, parseWriter, type Writer, type Writers } from "./writer.ts";

/** Options of {@linkcode Conversations}. */
export interface ConversationsOptions {
  /** The store, which other programs use too. */
  readonly store: SessionStore;
  /** The working folder: new conversations belong to it, and only its own can be continued. */
  readonly root: string;
  /** The model that new ones begin with. */
  readonly model: string;
  /** The programs that share the store. Default: this one alone. */
  readonly writers?: Writers | undefined;
  /** Reports lines that could not be read. */
  readonly warn?: ((message: string) => void) | undefined;
  /** Milliseconds since the epoch. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
}

/**
 * The conversations in a store, as a program sees them that works in one folder. Programs that use
 * the same store see the same ones; each conversation is written by one of them at a time.
 *
 * @example
 * ```ts
 * import { Conversations } from "@llmcmd/llmcmd/coder";
 * import { memorySessionStore } from "@llmcmd/llmcmd/store";
 *
 * const store = memorySessionStore();
 * const here = new Conversations({ store, root: "/work", model: "any" });
 * const conversation = here.create();
 * const time = "2026-11-27T10:00:00Z";
 * const message = { role: "user" as const, content: "Fix it" };
 * await conversation.log.append({ type: "message", time, message });
 * await conversation[Symbol.asyncDispose]();
 *
 * const [listed] = await here.list(10);
 * if (listed?.title !== "Fix it") throw new Error("not listed");
 * const elsewhere = new Conversations({ store, root: "/other", model: "any" });
 * const refusal = await elsewhere.open(listed.id).catch(String);
 * if (!String(refusal).includes("belongs to /work")) throw new Error("opened in another folder");
 * ```
 */
export class Conversations {
  readonly #options: ConversationsOptions;
  readonly #writers: Writers;
  readonly #now: () => number;

  /** Reads and writes nothing yet. */
  constructor(options: ConversationsOptions) {
    this.#options = options;
    this.#writers = options.writers ?? onlyWriter();
    this.#now = options.now ?? Date.now;
  }

  /** The folder that they belong to. */
  get root(): string {
    return this.#options.root;
  }

  /** Those of the folder, latest change first; at most `limit`. */
  async list(limit: number, owner?: string): Promise<StoredSession[]> {
    const sessions = await this.#options.store.list({ root: this.root, owner }, limit);
    return await Promise.all(sessions.map((session) => this.#counted(session)));
  }

  /** Those of other folders, latest change first; at most `limit`. */
  async listElsewhere(limit: number): Promise<StoredSession[]> {
    const sessions = await this.#options.store.list({ notRoot: this.root }, limit);
    return await Promise.all(sessions.map((session) => this.#counted(session)));
  }

  /** Facts about one, of any folder. */
  async get(id: string): Promise<StoredSession | undefined> {
    return await this.#options.store.get(id);
  }

  /** Which other program writes a session, if one does that still runs. */
  async otherWriter({ writer }: StoredSession): Promise<Writer | undefined> {
    const other = writer === undefined ? undefined : parseWriter(writer);
    if (other === undefined || other.lock === (await this.#writers.own()).lock) return undefined;
    return await this.#writers.isAlive(other) ? other : undefined;
  }

  /** The reason that a session cannot be continued here now, if there is one. */
  async problemOf(session: StoredSession): Promise<SessionError | undefined> {
    const { root } = session;
    if (!this.isHere(session)) {
      const { program } = await this.#writers.own();
      return new SessionError({ kind: "elsewhere", root, program });
    }
    const writer = await this.otherWriter(session);
    return writer === undefined ? undefined : new SessionError({ kind: "busy", writer });
  }

  /** A new one. It is kept from its first record on. */
  create(): Conversation {
    const { store, root, model } = this.#options;
    const { session, record } = newSession({ root, model, now: this.#now });
    const { id } = session;
    const writer = async () => encodeWriter(await this.#writers.own());
    return new Conversation({
      ...{ store, session, lines: 0, named: false, now: this.#now },
      beginning: async () => {
        const first = { line: encodeRecord(record), title: "" };
        return { id, owner: "", root, time: this.#now(), first, writer: await writer() };
      },
      release: async () => await store.release(id, await writer()),
    });
  }

  /**
   * Opens a session to continue it. Until it is closed no other program can write it.
   *
   * @param owner Makes a session with this owner where it does not exist.
   *
   * @throws {SessionError} It does not exist, belongs to another folder, or is open in another
   * program.
   */
  async open(id: string, owner?: string): Promise<Conversation> {
    const { store, root, model } = this.#options;
    const writer = encodeWriter(await this.#writers.own());
    const release = () => store.release(id, writer);
    const parts = { store, now: this.#now, release };
    let stored = await store.get(id);
    if (stored === undefined && owner !== undefined) {
      const { session, record } = newSession({ root, model, id, now: this.#now });
      const first = { line: encodeRecord(record), title: "" };
      stored = await store.create({ id, owner, root, time: this.#now(), first, writer });
      // Else another program made one of that name meanwhile.
      if (stored.writer === writer) {
        return new Conversation({ ...parts, session, lines: 1, named: false });
      }
    }
    if (stored === undefined) throw new SessionError({ kind: "missing", id });
    await this.#claim(stored, writer);
    try {
      return await this.#restored(stored, release);
    } catch (error) {
      await release();
      throw error;
    }
  }

  /**
   * Reads a session without opening it: of any folder, also while another program writes it.
   *
   * @throws {SessionError} It does not exist.
   */
  async read(id: string): Promise<Session> {
    return (await this.#parsed(id)).session;
  }

  /**
   * Removes a session of any folder, as its own may be gone.
   *
   * @throws {SessionError} It does not exist, or is open in another program.
   */
  async remove(id: string): Promise<void> {
    const { store } = this.#options;
    const stored = await store.get(id);
    if (stored === undefined) throw new SessionError({ kind: "missing", id });
    await this.#take(stored, encodeWriter(await this.#writers.own()));
    await store.remove(id);
  }

  async #restored(stored: StoredSession, release: () => Promise<void>): Promise<Conversation> {
    const { store, warn = () => {} } = this.#options;
    const { session, lines, problems } = await this.#parsed(stored.id);
    for (const problem of problems) warn(`session ${stored.id}: ${problem}`);
    const named = stored.title !== "";
    return new Conversation({ store, session, lines, named, release, now: this.#now });
  }

  async #parsed(id: string): Promise<{ session: Session; lines: number; problems: string[] }> {
    const { store, model } = this.#options;
    const lines = await store.lines(id);
    const stored = lines.length === 0 ? await store.get(id) : undefined;
    if (stored !== undefined) {
      // It was made, but nothing was said.
      const { session } = newSession({ id, root: stored.root, model, now: () => stored.created });
      return { session, lines: 0, problems: [] };
    }
    if (lines.length === 0) throw new SessionError({ kind: "missing", id });
    const { records, problems } = parseSessionLog(lines.join(""));
    return { session: resume(records), lines: lines.length, problems };
  }

  /** Makes this program the one that writes a session of its folder. */
  async #claim(stored: StoredSession, writer: string): Promise<void> {
    if (!this.isHere(stored)) {
      const { program } = await this.#writers.own();
      throw new SessionError({ kind: "elsewhere", root: stored.root, program });
    }
    await this.#take(stored, writer);
  }

  async #take({ id }: StoredSession, writer: string): Promise<void> {
    const { store } = this.#options;
    let gone: string | undefined;
    for (;;) {
      const holder = await store.claim(id, writer, gone);
      if (holder === writer) return;
      if (holder === undefined) throw new SessionError({ kind: "missing", id });
      const other = parseWriter(holder);
      if (other !== undefined && await this.#writers.isAlive(other)) {
        throw new SessionError({ kind: "busy", writer: other });
      }
      gone = holder;
    }
  }

  /** True for a session of this folder, and for one whose folder is not known. */
  isHere({ root }: StoredSession): boolean {
    return root === "" || root === this.root;
  }

  /** Counts the turns of a session from before they were counted as they began. */
  async #counted(session: StoredSession): Promise<StoredSession> {
    if (session.turns !== undefined) return session;
    const { store } = this.#options;
    let turns = 0;
    const { records } = parseSessionLog((await store.lines(session.id)).join(""));
    for (const record of withoutCut(records)) {
      const change = turnChange(record);
      if (change === "clear") turns = 0;
      else if (change === "begin") turns++;
    }
    await store.setTurns(session.id, turns);
    return { ...session, turns };
  }
}
