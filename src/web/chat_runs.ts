import type { AgentEvent, AgentRun } from "../agent/mod.ts";
import { AbortRace, Alarm, forEach } from "../streams/mod.ts";
import type { EventBus } from "../store/mod.ts";
import { type ChatEvent, chatEvent, DONE, failureEvent } from "./chat_events.ts";
import type { ChatLimits } from "./chat_limits.ts";
import { runBody } from "./chat_run_body.ts";
import { sseBody } from "./sse_body.ts";

/** How a turn ended. */
export type RunOutcome = "done" | "failed" | "stopped";

/** A turn that runs. */
export interface ChatRun {
  readonly id: string;
  readonly session: string;
  /** What the user said. */
  readonly message: string;
  /** How many lines the session had before; `undefined` until that is known. */
  readonly lines: number | undefined;
  /** Whether it waits for an answer of its user. */
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

/** Gives an event to readers that is none of the run, such as a question, or a command's output. */
export type ShowEvent = (event: ChatEvent) => void;

/** What a run is made of. */
export interface RunStart {
  readonly session: string;
  readonly message: string;
  /** Prepares and begins the turn; what it throws is an error of the turn. */
  begin(signal: AbortSignal, show: ShowEvent): Promise<{ run: AgentRun<unknown>; lines: number }>;
  /** Is called with each event, and the event for the page, before readers get it. */
  keep?(event: AgentEvent, shown: ChatEvent | undefined): Promise<void> | undefined;
  /** Called when the run has ended and before the next can begin. */
  finish?(): Promise<void>;
  /** Called with internal errors. */
  onError(error: unknown): void;
}

/**
 * The turns that run, at most one for each session. A turn goes on without readers, unless a limit
 * says for how long.
 */
export class ChatRuns {
  readonly #bus: EventBus;
  readonly #limits: ChatLimits;
  readonly #runs: Map<string, Running> = new Map();
  readonly #bySession: Map<string, Running> = new Map();
  /** Readers of runs, also of runs that have ended. */
  readonly #readers: Map<string, number> = new Map();

  constructor(bus: EventBus, limits: ChatLimits) {
    this.#bus = bus;
    this.#limits = limits;
  }

  /** How many run. */
  get size(): number {
    return this.#runs.size;
  }

  /** The turn of a session, if one runs. */
  of(session: string): ChatRun | undefined {
    return this.#bySession.get(session);
  }

  /** A turn that runs, by its name. */
  get(id: string): ChatRun | undefined {
    return this.#runs.get(id);
  }

  /** Says whether a turn waits for an answer of its user. */
  setWaiting(id: string, waiting: boolean): void {
    const run = this.#runs.get(id);
    if (run !== undefined) run.waiting = waiting;
  }

  /** Begins a turn in a session that has none, at once. */
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
   * The events of a run after the event number `after`, as a response's body; `undefined` if the
   * run is not (or no longer) known, `"busy"` if it has too many readers.
   */
  read(id: string, after: number): ReadableStream<Uint8Array<ArrayBuffer>> | "busy" | undefined {
    const count = this.#readers.get(id) ?? 0;
    if (count >= this.#limits.readers) return "busy";
    const events = this.#bus.read(id, after);
    if (events === undefined) return undefined;
    this.#count(id, +1);
    return sseBody(runBody(events, () => this.#count(id, -1)), this.#limits);
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
      const { run: { events }, lines } = await begin(abort.signal, (event) => {
        if (this.#runs.has(id)) this.#bus.append(id, encoded(event)).catch(onError);
      });
      run.lines = lines;
      await forEach(events, async (event) => {
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
