import { messageOf } from "../base/mod.ts";
import { onlyWriter, type Writer, type Writers } from "../coder/mod.ts";
import { memorySessionStore, type SessionStore, sqliteSessionStore } from "../store/mod.ts";
import { FileError, isLocked, openDatabase, type ProgramLock, programLock } from "../sys/mod.ts";
import { takeOverLogs } from "./take_over_logs.ts";

/** Where this user's sessions are kept: the same for all commands. */
export interface SessionHome extends AsyncDisposable {
  /** The sessions. */
  readonly store: SessionStore;
  /** The programs that have it open. */
  readonly writers: Writers;
  /** Puts what earlier versions kept in other files into the store; what it can't is told. */
  takeOver(): Promise<void>;
}

/** How to open a {@linkcode SessionHome}. */
export interface SessionHomeOptions {
  /** The user's state folder; `undefined` keeps the sessions in memory. */
  readonly stateFolder: string | undefined;
  /** What was started, such as `llmcmd serve`. */
  readonly program: string;
  /** Whether it writes many sessions at once. */
  readonly many: boolean;
  /** Is told what the user should know. */
  warn(message: string): void;
}

/** Its name is from when only the server kept its sessions there. */
const DATABASE = "web.sqlite";

/**
 * Opens the sessions in the state folder. Its lock, by which other programs see that this one runs,
 * is taken when it is first needed.
 *
 * @throws {FileError | PermissionError} The database can't be opened.
 */
export async function openSessionHome(options: SessionHomeOptions): Promise<SessionHome> {
  const { stateFolder, program, many, warn } = options;
  if (stateFolder === undefined) {
    const store = memorySessionStore();
    return {
      ...{ store, writers: onlyWriter(program), takeOver: () => Promise.resolve() },
      [Symbol.asyncDispose]: () => store.close(),
    };
  }
  const store = await openStore(`${stateFolder}/${DATABASE}`, many);
  const writers = new LockedWriters(`${stateFolder}/writers`, program);
  let takenOver: Promise<void> | undefined;
  return {
    ...{ store, writers },
    takeOver: () => takenOver ??= takeOverLogs(`${stateFolder}/sessions`, store, warn),
    async [Symbol.asyncDispose]() {
      try {
        await store.close();
      } finally {
        await writers.release();
      }
    },
  };
}

async function openStore(path: string, many: boolean): Promise<SessionStore> {
  const database = await openDatabase(path);
  try {
    return sqliteSessionStore(database, many ? {} : { gather: () => Promise.resolve() });
  } catch (error) {
    database.close();
    if (error instanceof RangeError) throw new FileError("use " + path, path, error.message, error);
    const why = `${messageOf(error)}; if it stays so, move the file away, and a new one is made`;
    throw new FileError(`use ${path}`, path, why, error);
  }
}

/** The programs that hold locks in a folder. */
class LockedWriters implements Writers {
  readonly #folder: string;
  readonly #program: string;
  #lock: Promise<ProgramLock> | undefined;

  constructor(folder: string, program: string) {
    this.#folder = folder;
    this.#program = program;
  }

  async own(): Promise<Writer> {
    const { name, pid } = await (this.#lock ??= programLock(this.#folder));
    return { program: this.#program, pid, lock: name };
  }

  isAlive({ lock }: Writer): Promise<boolean> {
    return isLocked(this.#folder, lock);
  }

  async release(): Promise<void> {
    const lock = await this.#lock?.catch(() => undefined);
    await lock?.release();
  }
}
