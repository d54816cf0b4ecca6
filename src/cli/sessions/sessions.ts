import { messageOf } from "../../base/mod.ts";
import { onlyWriter, type Writer, type Writers } from "../../coder/mod.ts";
import {
  memorySessionStore,
  type SessionStore,
  sqliteSessionStore,
  type SqliteStoreOptions,
} from "../../store/mod.ts";
import { FileError, isLocked, openDatabase, type ProgramLock, programLock } from "../../sys/mod.ts";

/** The store of this user's sessions, which all commands share. */
export interface SessionHome extends AsyncDisposable {
  /** The sessions. */
  readonly store: SessionStore;
  /** The programs that have sessions open. */
  readonly writers: Writers;
}

/** Options of {@linkcode openSessionHome}. */
export interface SessionHomeOptions {
  /** The user's state folder; `undefined` keeps the sessions in memory. */
  readonly stateFolder: string | undefined;
  /** The command, such as `llmcmd serve`. */
  readonly program: string;
  /**
   * True if the program writes many sessions at once. If false, the database is opened only when it
   * is needed, which is while the model is called.
   */
  readonly many: boolean;
}

/** Named at a time when only the server stored sessions. */
const DATABASE = "web.sqlite";

/**
 * Opens the sessions in the state folder. The lock that shows other programs that this one is
 * running is taken when it is first needed.
 *
 * @throws {FileError | PermissionError} The database can't be opened. If it is opened later, the
 * methods of `store` throw this.
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

/** A program with a single session commits each write at once. */
const NOW: SqliteStoreOptions = { gather: () => Promise.resolve() };

/** A store that is opened by the first call of a method. */
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
