import type { SessionPort, SessionStart, ShellFacts } from "../../ports/mod.ts";
import { PermissionError, ProgramMissingError } from "../../sys/mod.ts";
import { type CommandSession, placeOf } from "../command_session.ts";
import { CommandStartError } from "../command_start_error.ts";
import { checkCommand } from "../_tree_starter.ts";
import type { Sandbox } from "../sandbox.ts";
import { PtyProcess, ptySystem } from "./pty_process.ts";
import { PtySession } from "./session.ts";
import { sessionEnvironment } from "./session_environment.ts";

export type { PtyEnd } from "./pty_process.ts";
export { PtySession } from "./session.ts";
export { TerminalModes } from "./escapes.ts";
export type { Joined, TerminalSize, Viewer } from "./viewers.ts";

/** A clock, for events after minutes. */
export interface SessionClock {
  /** Milliseconds since a fixed moment. */
  now(): number;
  /** Calls a function at intervals; returns the function that ends that. */
  every(milliseconds: number, call: () => void): () => void;
}

/** Options of {@linkcode SessionManager}. */
export interface SessionManagerOptions {
  /** The command session whose environment, folders and private /tmp sessions share. */
  readonly runner: CommandSession;
  /** The sandbox of sessions, the same as the runner's. */
  readonly sandbox: Sandbox;
  /** The shell of sessions. */
  readonly shell: Promise<ShellFacts>;
  /** Most sessions that run at once, of all owners; 16 if absent. */
  readonly maxSessions?: number | undefined;
  /**
   * Called before each session starts, to let persons join. Returns the command line with which
   * they join the session of that id, or `undefined` if joining is not possible. If absent, joining
   * is not possible.
   */
  readonly attachable?: ((sessionId: string) => Promise<string | undefined>) | undefined;
  /** Time; the real one if absent. */
  readonly clock?: SessionClock | undefined;
}

const MOST_SESSIONS = 16;
/** Milliseconds for which an ended session can still be read. */
const KEPT = 10 * 60_000;
/** Most ended sessions that can still be read; with more, the oldest are dropped. */
const MOST_KEPT = 32;
/** Milliseconds without a call or output after which a shell at its prompt is ended. */
const EXPIRY = 30 * 60_000;
/** Milliseconds between two checks for such shells. */
const CHECKED = 60_000;

const realClock: SessionClock = {
  now: () => performance.now(),
  every(milliseconds, call) {
    const timer = setInterval(call, milliseconds);
    return () => clearInterval(timer);
  },
};

/** A session and its owner. */
interface Entry {
  readonly owner: string;
  readonly session: PtySession;
  /** Time of its end, by the clock. */
  endedAt?: number;
  /** True if its owner has stopped it, so that another session may have its id. */
  stopped?: boolean;
}

/**
 * Terminal sessions: programs, usually shells, that keep running between calls, each on a terminal
 * of its own. A session is visible only to the owner that started it. It ends with everything it
 * started when it is stopped, after 30 minutes without use at a prompt, and when this process ends,
 * however it ends.
 *
 * Linux only. Needs `--allow-run=python3`, in a sandbox `--allow-run=bwrap`.
 */
export class SessionManager implements SessionPort {
  readonly #options: SessionManagerOptions;
  readonly #clock: SessionClock;
  readonly #most: number;
  readonly #entries = new Map<string, Entry>();
  /** Sessions that are being started, by key. */
  readonly #starting = new Map<string, Promise<unknown>>();
  #stopClock: (() => void) | undefined;
  #closed = false;

  /** Makes a manager; nothing starts before the first session. */
  constructor(options: SessionManagerOptions) {
    this.#options = options;
    this.#clock = options.clock ?? realClock;
    this.#most = options.maxSessions ?? MOST_SESSIONS;
  }

  /** The reason why sessions are not available, as far as known in advance. */
  get unavailable(): string | undefined {
    return ptySystem()
      ? undefined
      : "Terminal sessions need Linux: use CliRun with a longer timeout";
  }

  /**
   * Starts a session; resolves when its program runs.
   *
   * @throws {CommandStartError} Sessions are not available, the limit is reached, the id is taken,
   * the folder is missing, or the command can't be started.
   * @throws The reason of the signal.
   */
  async start(owner: string, options: SessionStart): Promise<PtySession> {
    const { unavailable } = this;
    if (unavailable !== undefined) throw new CommandStartError(unavailable);
    if (this.#closed) {
      throw new CommandStartError("Cannot start a session: the server is shutting down");
    }
    options.signal.throwIfAborted();
    this.#forget();
    const sessionId = options.sessionId ?? this.#newId(owner);
    const key = keyOf(owner, sessionId);
    this.#checkRoom(owner, sessionId);
    const starting = this.#start(owner, sessionId, options);
    this.#starting.set(key, starting);
    try {
      return await starting;
    } finally {
      this.#starting.delete(key);
    }
  }

  /** Finds a session, running or ended but still readable; `undefined` if there is none. */
  get(owner: string, sessionId: string): PtySession | undefined {
    this.#forget();
    return this.#entries.get(keyOf(owner, sessionId))?.session;
  }

  /** The owner's sessions, oldest first, including ended ones that can still be read. */
  list(owner: string): readonly PtySession[] {
    this.#forget();
    return [...this.#entries.values()].filter((it) => it.owner === owner).map((it) => it.session);
  }

  /** The sessions of all owners that have not ended, oldest first, each with its owner. */
  running(): readonly { readonly owner: string; readonly session: PtySession }[] {
    return [...this.#entries.values()].filter(({ endedAt }) => endedAt === undefined);
  }

  /**
   * Ends all sessions of the owner, or of all owners, with all their processes, at once; none can
   * be read any more.
   */
  async stopAll(owner?: string): Promise<void> {
    const mine = (key: string) => owner === undefined || key.startsWith(keyOf(owner, ""));
    await Promise.allSettled(
      [...this.#starting].flatMap(([key, starting]) => mine(key) ? [starting] : []),
    );
    const entries = [...this.#entries].flatMap(([key, entry]) => mine(key) ? [entry] : []);
    await Promise.all(entries.map(async (entry) => {
      await entry.session.kill(true);
      this.#remove(entry);
    }));
  }

  /** Ends all sessions; no other can be started. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    await this.stopAll();
    this.#stopClock?.();
    this.#stopClock = undefined;
  }

  async #start(owner: string, sessionId: string, options: SessionStart): Promise<PtySession> {
    const { runner, sandbox } = this.#options;
    const { shell, shellPath } = await this.#options.shell;
    const { command, workingDirectory, columns = 120, rows = 40, signal } = options;
    if (command !== undefined) checkCommand(command);
    const attachCommand = await this.#options.attachable?.(sessionId);
    const place = await placeOf(runner, workingDirectory);
    signal.throwIfAborted();
    const environment = {
      ...sessionEnvironment(runner.environment, options.env),
      // Joining a session from inside would show its own output in a loop, so mark it.
      ...attachCommand === undefined ? {} : { LLMCMD_SESSION: sessionId },
    };
    const pty = await PtyProcess.start({
      argv: command === undefined ? [shellPath] : [shellPath, "-c", command],
      env: environment,
      keeperEnv: runner.environment,
      ...{ place, sandbox, columns, rows },
    }).catch((error) => {
      throw startFailure(error);
    });
    const entry: Entry = {
      owner,
      session: new PtySession(pty, {
        ...{
          sessionId,
          shell,
          workingDirectory,
          command,
          environment,
          columns,
          rows,
          attachCommand,
        },
        now: () => this.#clock.now(),
        onEnd: () => entry.endedAt = this.#clock.now(),
        onStop: () => entry.stopped = true,
      }),
    };
    if (signal.aborted || this.#closed) {
      await entry.session.kill(true);
      signal.throwIfAborted();
      throw new CommandStartError("Cannot start a session: the server is shutting down");
    }
    this.#entries.set(keyOf(owner, sessionId), entry);
    this.#stopClock ??= this.#clock.every(CHECKED, () => void this.#expire());
    return entry.session;
  }

  #checkRoom(owner: string, sessionId: string): void {
    const key = keyOf(owner, sessionId);
    const same = this.#entries.get(key);
    if (same?.stopped === true) this.#remove(same);
    else if (same !== undefined || this.#starting.has(key)) {
      throw new CommandStartError(
        `Cannot start the session ${sessionId}: there is one with that id; stop it, or choose another`,
      );
    }
    const running = [...this.#entries.values()].filter(({ endedAt }) => endedAt === undefined);
    if (running.length + this.#starting.size < this.#most) return;
    const own = running.filter((it) => it.owner === owner).map(({ session }) => session.sessionId);
    throw new CommandStartError(
      `Cannot start a session: ${this.#most} run already, which is the limit; stop one first` +
        (own.length === 0 ? "" : ` (${own.join(", ")})`),
    );
  }

  #newId(owner: string): string {
    for (;;) {
      const id = `session-${crypto.randomUUID().slice(0, 6)}`;
      const key = keyOf(owner, id);
      if (!this.#entries.has(key) && !this.#starting.has(key)) return id;
    }
  }

  #remove(entry: Entry): void {
    const key = keyOf(entry.owner, entry.session.sessionId);
    entry.session.close();
    if (this.#entries.get(key) === entry) this.#entries.delete(key);
    if (this.#entries.size > 0) return;
    this.#stopClock?.();
    this.#stopClock = undefined;
  }

  /** Forgets sessions that ended long ago, and the oldest if many have ended. */
  #forget(): void {
    const now = this.#clock.now();
    const ended = [...this.#entries.values()]
      .flatMap((entry) => entry.endedAt === undefined ? [] : [{ entry, at: entry.endedAt }])
      .sort((a, b) => b.at - a.at);
    for (const [rank, { entry, at }] of ended.entries()) {
      if (rank >= MOST_KEPT || now - at >= KEPT) this.#remove(entry);
    }
  }

  /** Ends idle shells at their prompt. */
  async #expire(): Promise<void> {
    this.#forget();
    const idle = [...this.#entries.values()].filter(({ session, endedAt }) =>
      endedAt === undefined && session.idleFor >= EXPIRY
    );
    for (const { session } of idle) {
      if (await session.atPromptNow() && session.idleFor >= EXPIRY) await session.kill(false);
    }
  }
}

function keyOf(owner: string, sessionId: string): string {
  return `${owner}\0${sessionId}`;
}

/** The error of a failed start, with a message for the model. */
function startFailure(error: unknown): unknown {
  if (error instanceof ProgramMissingError && error.program === "python3") {
    return new CommandStartError(
      "Cannot start a terminal session: python3 is not installed (package python3); CliRun works " +
        "without it",
    );
  }
  if (error instanceof ProgramMissingError || error instanceof PermissionError) {
    return new CommandStartError(`Cannot start a terminal session: ${error.message}`);
  }
  return error;
}
