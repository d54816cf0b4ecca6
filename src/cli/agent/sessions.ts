import { messageOf } from "../../base/mod.ts";
import {
  encodeRecord,
  newSession,
  parseSessionLog,
  resume,
  type Session,
  type SessionLog,
  type SessionRecord,
} from "../../coder/mod.ts";
import {
  type AppendFile,
  appendFile,
  changedAt,
  isMissing,
  listFolder,
  readTextFile,
} from "../../sys/mod.ts";
import { ConfigError } from "../config_file.ts";

/** A session that is written as it happens. */
export interface OpenSession extends Disposable {
  readonly session: Session;
  readonly log: SessionLog;
}

const SUFFIX = ".jsonl";
/** Sessions are text: larger ones are none of ours. */
const MOST_BYTES = 256 * 1024 * 1024;

/** The sessions in a folder, one file of JSONL each. Without a folder nothing is kept. */
export class AgentSessions {
  readonly #folder: string | undefined;
  readonly #warn: (message: string) => void;

  /** `warn` is told what could not be read. */
  constructor(folder: string | undefined, warn: (message: string) => void) {
    this.#folder = folder;
    this.#warn = warn;
  }

  /** A new session; its file comes with its first record. */
  create(root: string, model: string): OpenSession {
    const { session, record } = newSession({ root, model });
    const file = this.#folder === undefined ? undefined : this.#pathOf(session.id);
    return new LoggedSession(session, () => openNew(file, record));
  }

  /**
   * Sessions of a working folder, the last changed first; at most so many, as each is a file to
   * read.
   */
  async list(root: string, most: number): Promise<Session[]> {
    const files: { path: string; changed: number }[] = [];
    for (const path of await this.#files()) files.push({ path, changed: await changedAt(path) });
    files.sort((a, b) => b.changed - a.changed);
    const sessions: Session[] = [];
    for (const { path } of files) {
      if (sessions.length >= most) break;
      const session = await this.#read(path, root);
      if (session !== undefined) sessions.push(session);
    }
    return sessions;
  }

  /**
   * Goes on with a session.
   *
   * @throws {ConfigError} There is none of that name, or it is open elsewhere.
   */
  async open(id: string): Promise<OpenSession> {
    const path = this.#pathOf(id);
    if (!(await this.#files()).includes(path)) {
      throw new ConfigError(`There is no session '${id}'`);
    }
    const file = await appendFile(path);
    if (file === undefined) {
      throw new ConfigError(`Session ${id} is open in another program: end that one first`);
    }
    try {
      const text = await readTextFile(path, MOST_BYTES);
      const { records, problems, torn } = parseSessionLog(text);
      for (const problem of problems) this.#warn(`${path}: ${problem}`);
      if (torn) await file.truncate(bytesOf(text.slice(0, text.lastIndexOf("\n") + 1)));
      else if (!text.endsWith("\n")) await file.append("\n");
      const session = resume(records);
      return new LoggedSession(session, () => Promise.resolve(file), file);
    } catch (error) {
      file.close();
      throw error;
    }
  }

  #pathOf(id: string): string {
    return `${this.#folder ?? ""}/${id}${SUFFIX}`;
  }

  async #files(): Promise<string[]> {
    if (this.#folder === undefined) return [];
    try {
      return await listFolder(this.#folder, SUFFIX) ?? [];
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  }

  /** A session, if it is of that folder. */
  async #read(path: string, root: string): Promise<Session | undefined> {
    try {
      const text = await readTextFile(path, MOST_BYTES);
      const [first] = parseSessionLog(`${text.split("\n", 1)[0]}\n`).records;
      if (first?.type === "session_start" && first.root !== root) return undefined;
      return resume(parseSessionLog(text).records);
    } catch (error) {
      this.#warn(`${path}: ${messageOf(error)}`);
      return undefined;
    }
  }
}

class LoggedSession implements OpenSession {
  readonly session: Session;
  readonly log: SessionLog;
  #file: AppendFile | undefined;
  #closed = false;

  constructor(
    session: Session,
    open: () => Promise<AppendFile | undefined>,
    file?: AppendFile,
  ) {
    this.session = session;
    this.#file = file;
    let opening: Promise<AppendFile | undefined> | undefined;
    let last: Promise<void> = Promise.resolve();
    this.log = {
      append: (record) => {
        const append = async () => {
          if (this.#closed) return;
          this.#file = await (opening ??= open());
          await this.#file?.append(encodeRecord(record));
        };
        // One line after the other: a title comes while a turn goes on.
        const appended = last.then(append);
        last = appended.catch(() => {});
        return appended;
      },
    };
  }

  [Symbol.dispose](): void {
    this.#closed = true;
    this.#file?.close();
    this.#file = undefined;
  }
}

async function openNew(
  path: string | undefined,
  record: SessionRecord,
): Promise<AppendFile | undefined> {
  if (path === undefined) return undefined;
  const file = await appendFile(path);
  await file?.append(encodeRecord(record));
  return file;
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
