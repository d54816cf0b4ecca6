import type { Keeper } from "./_keeper.ts";
import { OutputCapture } from "./_output_capture.ts";
import type {
  CommandOptions,
  CommandOutput,
  CommandResult,
  OutputLimits,
  Survivors,
} from "./command.ts";

/** For how many milliseconds and bytes the pipe is still read after the shell has ended. */
const DRAIN_TIME = 100;
const DRAIN_BYTES = 1024 * 1024;
const DRAIN_STEP = 5;

/** How a command ended, without the parts that only its session knows. */
export type Outcome = Omit<CommandResult, "sandbox" | "killDesign" | "duration">;

/** Why a command was stopped. */
type Stop = "timeout" | "abort" | "receiver";

/** One command that runs: its keeper, its output, its end. */
export class CommandRun {
  /** Settles when no process of the command is left. */
  readonly ended: Promise<void>;
  readonly #keeper: Keeper;
  readonly #capture: OutputCapture;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>;
  readonly #pumped: Promise<void>;
  #onOutput: CommandOptions["onOutput"];
  #receiverFailed: () => void = () => {};
  #receiverFailure: { error: unknown } | undefined;
  #waiting = false;
  #received = 0;

  constructor(keeper: Keeper, options: {
    readonly limits: OutputLimits;
    readonly outputPath: () => Promise<string>;
    readonly onOutput: CommandOptions["onOutput"];
  }) {
    this.#keeper = keeper;
    this.#capture = new OutputCapture(options.limits, options.outputPath);
    this.#onOutput = options.onOutput;
    this.#reader = keeper.stdout.getReader();
    this.#pumped = this.#pump();
    this.ended = Promise.all([keeper.ended, this.#pumped]).then(() => {});
  }

  /** Waits for the end of the command, or ends it. */
  async wait(timeout: number, signals: readonly AbortSignal[]): Promise<Outcome> {
    const stop = await this.#untilEnd(timeout, signals);
    if (stop !== undefined) return await this.#stopped(stop);
    const { exitCode, signal, background } = await this.#keeper.status;
    // Without a report of its end, the command has killed its keeper: then so is the rest.
    const lost = await this.#keeper.control.exit === undefined;
    const survivors = lost ? await this.kill() : 0;
    if (!lost) await this.#drain(background);
    return {
      ...await this.#output(background),
      exitCode,
      signal,
      timedOut: false,
      aborted: false,
      survivors,
    };
  }

  /** Kills all that is left; gives the number of processes that could not be killed. */
  async kill(): Promise<Survivors> {
    const survivors = await this.#keeper.kill();
    // Nobody can write any more, except survivors that hold the pipe.
    await this.#settle(this.#pumped, DRAIN_TIME);
    await this.#reader.cancel().catch(() => {});
    await this.#pumped;
    return survivors;
  }

  /** Reads the output until its end. Errors of the receiver end the command, not the reading. */
  async #pump(): Promise<void> {
    try {
      for (;;) {
        this.#waiting = true;
        const { done, value } = await this.#reader.read();
        this.#waiting = false;
        if (done) return;
        this.#received += value.length;
        await this.#capture.add(value);
        await this.#tell(value);
      }
    } catch {
      // A broken pipe counts as its end.
    } finally {
      await this.#capture.close();
    }
  }

  async #tell(chunk: Uint8Array<ArrayBuffer>): Promise<void> {
    try {
      await this.#onOutput?.(chunk);
    } catch (error) {
      this.#receiverFailure = { error };
      this.#onOutput = undefined;
      this.#receiverFailed();
    }
  }

  /** Waits until the command has ended by itself (`undefined`) or is to be stopped. */
  async #untilEnd(timeout: number, signals: readonly AbortSignal[]): Promise<Stop | undefined> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let abort = () => {};
    const stop = new Promise<Stop>((resolve) => {
      timer = setTimeout(() => resolve("timeout"), timeout);
      abort = () => resolve("abort");
      this.#receiverFailed = () => resolve("receiver");
      for (const signal of signals) {
        if (signal.aborted) abort();
        else signal.addEventListener("abort", abort, { once: true });
      }
    });
    try {
      return await Promise.race([stop, this.#keeper.control.exit.then(() => undefined)]);
    } finally {
      clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener("abort", abort);
    }
  }

  async #stopped(stop: Stop): Promise<Outcome> {
    const survivors = await this.kill();
    if (stop === "receiver") throw this.#receiverFailure?.error;
    return this.#killed(survivors, stop === "timeout");
  }

  #killed(survivors: Survivors, timedOut: boolean): Outcome {
    return {
      ...this.#capture.result(),
      exitCode: null,
      signal: null,
      timedOut,
      aborted: !timedOut,
      background: undefined,
      survivors,
    };
  }

  /**
   * Reads what was in the pipe when the shell ended. A process in the background may hold the pipe
   * and write without end, so both time and bytes are limited.
   */
  async #drain(left: boolean): Promise<void> {
    if (!left) await this.#settle(this.#pumped, DRAIN_TIME);
    const end = performance.now() + (left ? DRAIN_TIME : 0);
    const most = this.#received + DRAIN_BYTES;
    while (this.#received < most && !(performance.now() > end && this.#waiting)) {
      if (await this.#settle(this.#pumped, DRAIN_STEP)) return;
    }
  }

  /** The output so far. What comes later goes to a file. */
  async #output(left: boolean): Promise<CommandOutput & Pick<Outcome, "background">> {
    this.#onOutput = undefined;
    const output = this.#capture.result();
    const background = left && !await this.#settle(this.ended, 0)
      ? { path: await this.#capture.openFile() }
      : undefined;
    return { ...output, background };
  }

  /** Waits for a promise for at most the given time; says whether it has settled. */
  async #settle(promise: Promise<unknown>, milliseconds: number): Promise<boolean> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<false>((resolve) => {
      timer = setTimeout(() => resolve(false), milliseconds);
    });
    const settled = await Promise.race([promise.then(() => true), late]);
    clearTimeout(timer);
    return settled;
  }
}
