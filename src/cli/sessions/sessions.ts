import { messageOf } from "../../base/mod.ts";
import { onlyWriter, type Writer, type Writers } from "../../coder/mod.ts";
import {
  memorySessionStore,
  type SessionStore,
  sqliteSessionStore,
  type SqliteStoreOptions,
} from "../../store/mod.ts";
import { FileError, isLocked, openDatabase, type ProgramLock, programLock } from "../../sys/mod.ts";

/** Where this user's sessions are kept: the same for all commands. */
export interface SessionHome extends AsyncDisposable {
  /** The sessions. */
  readonly store: SessionStore;
  /** The programs that have it open. */
  readonly writers: Writers;
}

/** How to open a {@linkcode SessionHome}. */
export interface SessionHomeOptions {
  /** The user's state folder; `undefined` keeps the sessions in memory. */
  readonly stateFolder: string | undefined;
  /** What was started, such as `llmcmd serve`. */
  readonly program: string;
  /**
   * Whether it writes many sessions at once. Else the database is opened when it is first needed:
   * that is while the model is asked.
   */
  readonly many: boolean;
}

/** Its name is from when only the server kept its sessions there. */
const DATABASE = "web.sqlite";

/**
 * Opens the sessions in the state folder. The lock by which other programs see that this one runs
 * is taken when it is first needed.
 *
 * @throws {FileError | PermissionError} The database can't be opened. Where it is opened when it is
 * needed, the methods of `store` throw this.
 */
export async function openSessionHome(options: SessionHomeOptions): Promise<SessionHome> {
  const { stateFolder, program, many } = options;
  if (stateFolder === undefined) {
    const store = memorySessionStore();
    return {
      ...{ store, writers: onlyWriter(program) },
      [Symbol.asyncDispose]: () => store.close(),
    };
  }
  const path = `${stateFolder}/${DATABASE}`;
  const store = many ? await openStore(path) : storeWhenNeeded(() => openStore(path, NOW));
  const writers = new LockedWriters(`${stateFolder}/writers`, program);
  return {
    ...{ store, writers },
    async [Symbol.asyncDispose]() {
      try {
        await store.close();
      } finally {
        await writers.release();
      }
    },
  };
}

/** A program with one session commits what it writes at once. */
const NOW: SqliteStoreOptions = { gather: () => Promise.resolve() };

/** A store that is opened with the first call of a method, and stays closed without one. */
function storeWhenNeeded(open: () => Promise<SessionStore>): SessionStore {
  let opened: Promise<SessionStore> | undefined;
  const store = () => opened ??= open();
  return {
    create: async (session) => await (await store()).create(session),
    get: async (id) => await (await store()).get(id),
    list: async (which, limit) => await (await store()).list(which, limit),
    append: async (id, line, time, turn) => await (await store()).append(id, line, time, turn),
    lines: async (id) => await (await store()).lines(id),
    setTitle: async (id, title) => await (await store()).setTitle(id, title),
    setTurns: async (id, turns) => await (await store()).setTurns(id, turns),
    claim: async (id, writer, gone) => await (await store()).claim(id, writer, gone),
    release: async (id, writer) => await (await store()).release(id, writer),
    changes: async () => await (await store()).changes(),
    remove: async (id) => await (await store()).remove(id),
    close: async () => {
      const last = await opened?.catch(() => undefined);
      await last?.close();
    },
  };
}

async function openStore(path: string, options?: SqliteStoreOptions): Promise<SessionStore> {
  const database = await openDatabase(path);
  try {
    return sqliteSessionStore(database, options);
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
