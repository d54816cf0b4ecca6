import { type AgentEvent, type AgentRun, follow } from "../agent/mod.ts";
import { AbortRace, Alarm } from "../streams/mod.ts";
import type { BusReader, EventBus } from "../store/mod.ts";
import { ChatError } from "./chat_error.ts";
import { type ChatEvent, chatEvent, DONE, failureEvent } from "./events.ts";
import type { ChatEngineLimits } from "./limits.ts";

/** The outcome of a turn. */
export type RunOutcome = "done" | "failed" | "stopped";

/** A running turn. */
export interface ChatRun {
  readonly id: string;
  readonly session: string;
  /** The user's message. */
  readonly message: string;
  /** Lines that the session had before; `undefined` until they are counted. */
  readonly lines: number | undefined;
  /** True while it waits for an answer of its user. */
  readonly waiting: boolean;
  /** Resolves when it has ended and all its lines are stored. */
  readonly ended: Promise<RunOutcome>;
  /** Stops it; `ended` resolves when that is done. */
  stop(): void;
}

interface Running extends ChatRun {
  lines: number | undefined;
  waiting: boolean;
  readonly abort: AbortController;
  readonly abandoned: Alarm;
}

/** Sends readers an event that does not come from the agent, such as a command's output. */
export type ShowEvent = (event: ChatEvent) => void;

/** A turn to start. */
export interface RunStart {
  readonly session: string;
  readonly message: string;
  /** Prepares and begins the turn. An error that it throws fails the turn. */
  begin(signal: AbortSignal, show: ShowEvent): Promise<{ run: AgentRun<unknown>; lines: number }>;
  /** Called with each event, and with the event for readers before they get it. */
  keep?(event: AgentEvent, shown: ChatEvent | undefined): Promise<void> | undefined;
  /** Called when the run has ended and before the next can begin. */
  finish?(): Promise<void>;
  /** Called with internal errors. */
  onError(error: unknown): void;
}

/** The running turns, at most one for each session. A turn needs no readers, unless limited. */
export class ChatRuns {
  readonly #bus: EventBus;
  readonly #limits: ChatEngineLimits;
  readonly #runs: Map<string, Running> = new Map();
  readonly #bySession: Map<string, Running> = new Map();
  /** Readers of runs, also of runs that have ended. */
  readonly #readers: Map<string, number> = new Map();

  constructor(bus: EventBus, limits: ChatEngineLimits) {
    this.#bus = bus;
    this.#limits = limits;
  }

  /** The number of running turns. */
  get size(): number {
    return this.#runs.size;
  }

  /** The running turn of a session. */
  of(session: string): ChatRun | undefined {
    return this.#bySession.get(session);
  }

  /** A running turn by its id. */
  get(id: string): ChatRun | undefined {
    return this.#runs.get(id);
  }

  /** Records that a turn waits for an answer of its user, or no longer does. */
  setWaiting(id: string, waiting: boolean): void {
    const run = this.#runs.get(id);
    if (run !== undefined) run.waiting = waiting;
  }

  /** Starts a turn at once in a session that has none. */
  start(options: RunStart): ChatRun {
    const abort = new AbortController();
    const id = crypto.randomUUID();
    this.#bus.begin(id);
    const run: Running = {
      id,
      session: options.session,
      message: options.message,
      lines: undefined,
      waiting: false,
      abort,
      abandoned: new Alarm(),
      ended: Promise.resolve().then(() => this.#follow(run, options)),
      stop: () => stop(abort),
    };
    this.#runs.set(id, run);
    this.#bySession.set(options.session, run);
    // The same time limit holds until the first reader comes.
    this.#watch(run);
    return run;
  }

  /**
   * Reads the events of a turn after the event number `after`. Every reader must be closed with
   * `return()`.
   *
   * @throws {ChatError} The turn is not known (any more), or has too many readers.
   */
  read(id: string, after: number): BusReader {
    const count = this.#readers.get(id) ?? 0;
    if (count >= this.#limits.readers) {
      throw new ChatError("limit", "This turn has too many readers", 5);
    }
    const events = this.#bus.read(id, after);
    if (events === undefined) {
      throw new ChatError("missing", "There is no such turn, or it is forgotten");
    }
    this.#count(id, +1);
    let closed = false;
    return {
      next: () => events.next(),
      get missed() {
        return events.missed;
      },
      return: () => {
        events.return();
        if (!closed) this.#count(id, -1);
        closed = true;
      },
    };
  }

  /** Stops all and waits for their ends. */
  async stopAll(): Promise<void> {
    const runs = [...this.#runs.values()];
    for (const run of runs) run.stop();
    await Promise.all(runs.map(({ ended }) => ended));
  }

  #count(id: string, change: 1 | -1): void {
    const count = (this.#readers.get(id) ?? 0) + change;
    if (count === 0) this.#readers.delete(id);
    else this.#readers.set(id, count);
    const run = this.#runs.get(id);
    if (run === undefined) return;
    if (count > 0) run.abandoned.clear();
    else this.#watch(run);
  }

  #watch(run: Running): void {
    if (this.#limits.abandoned === Infinity) return;
    run.abandoned.set(this.#limits.abandoned, () => run.stop());
  }

  async #follow(
    run: Running,
    { begin, keep, finish, onError }: RunStart,
  ): Promise<RunOutcome> {
    const { id, session, abort } = run;
    let outcome: RunOutcome = "done";
    const race = new AbortRace(abort.signal);
    const append = async (event: ChatEvent) => {
      // A turn that is being stopped no longer waits for readers, as it has few events left.
      await race.run(this.#bus.append(id, encoded(event))).catch(() => {});
    };
    try {
      const { run: turn, lines } = await begin(abort.signal, (event) => {
        if (this.#runs.has(id)) this.#bus.append(id, encoded(event)).catch(onError);
      });
      run.lines = lines;
      await follow(turn, async (event) => {
        const shown = chatEvent(event, this.#limits.details);
        if (shown?.type === "error") {
          outcome = shown.data.code === "stopped" ? "stopped" : "failed";
        }
        await keep?.(event, shown);
        if (shown !== undefined) await append(shown);
      });
    } catch (error) {
      onError(error);
      outcome = "failed";
      await append(failureEvent(error));
    } finally {
      race.end();
      run.abandoned.clear();
    }
    try {
      await finish?.();
    } catch (error) {
      onError(error);
    }
    this.#runs.delete(id);
    this.#bySession.delete(session);
    this.#bus.append(id, encoded(DONE)).catch(onError);
    this.#bus.end(id);
    return abort.signal.aborted ? "stopped" : outcome;
  }
}

function encoded({ type, data }: ChatEvent): { type: string; data: string } {
  return { type, data: JSON.stringify(data) };
}

function stop(abort: AbortController): void {
  if (abort.signal.aborted) return;
  abort.abort(new DOMException("The turn was stopped", "AbortError"));
}
