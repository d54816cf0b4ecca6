import type { CommandOutput, Survivors } from "../ports/mod.ts";
import type { Keeper } from "./_keeper.ts";
import { OutputCapture } from "./_output_capture.ts";
import { drainPumps, OutputPump, untilStop } from "./_output_pump.ts";
import { settles } from "./_settles.ts";
import type { CommandOptions, CommandResult, OutputLimits } from "./command.ts";

/** Result of a command, without the parts that only its session knows. */
export type Outcome = Omit<CommandResult, "sandbox" | "killDesign" | "duration">;

/** A running command: its keeper, its output, its end. */
export class CommandRun {
  /** Settles when no process of the command is left. */
  readonly ended: Promise<void>;
  readonly #keeper: Keeper;
  readonly #capture: OutputCapture;
  readonly #pump: OutputPump;
  readonly #pumped: Promise<void>;
  readonly #receiver: Promise<void>;
  #onOutput: CommandOptions["onOutput"];
  #receiverFailed: () => void = () => {};
  #receiverFailure: { error: unknown } | undefined;

  constructor(keeper: Keeper, options: {
    readonly limits: OutputLimits;
    readonly outputPath: () => Promise<string>;
    readonly onOutput: CommandOptions["onOutput"];
  }) {
    this.#keeper = keeper;
    this.#capture = new OutputCapture(options.limits, options.outputPath);
    this.#onOutput = options.onOutput;
    this.#receiver = new Promise((resolve) => this.#receiverFailed = resolve);
    this.#pump = new OutputPump(keeper.stdout, async (chunk) => {
      await this.#capture.add(chunk);
      await this.#tell(chunk);
    });
    this.#pumped = this.#pump.done.then(() => this.#capture.close());
    this.ended = Promise.all([keeper.ended, this.#pumped]).then(() => {});
  }

  /** Waits for the end of the command, or kills it. */
  async wait(timeout: number, signals: readonly AbortSignal[]): Promise<Outcome> {
    const { exit } = this.#keeper.control;
    const stop = await untilStop(exit, { timeout, signals, receiver: this.#receiver });
    if (stop !== undefined) {
      const survivors = await this.kill();
      if (stop === "receiver") throw this.#receiverFailure?.error;
      return this.#killed(survivors, stop === "timeout");
    }
    const { exitCode, signal, background } = await this.#keeper.status;
    // Without a report of its end, the command has killed its keeper, so kill the rest, too.
    const lost = await exit === undefined;
    const survivors = lost ? await this.kill() : 0;
    if (!lost) await drainPumps([this.#pump], background);
    return {
      ...await this.#output(background),
      exitCode,
      signal,
      timedOut: false,
      aborted: false,
      survivors,
    };
  }

  /** Kills all remaining processes; returns the number of those that could not be killed. */
  async kill(): Promise<Survivors> {
    const survivors = await this.#keeper.kill();
    await this.#pump.end();
    await this.#pumped;
    return survivors;
  }

  /** Passes output to the receiver, whose errors end the command, but not the reading. */
  async #tell(chunk: Uint8Array<ArrayBuffer>): Promise<void> {
    try {
      await this.#onOutput?.(chunk);
    } catch (error) {
      this.#receiverFailure = { error };
      this.#onOutput = undefined;
      this.#receiverFailed();
    }
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

  /** The output so far. Later output goes to a file. */
  async #output(left: boolean): Promise<CommandOutput & Pick<Outcome, "background">> {
    this.#onOutput = undefined;
    const output = this.#capture.result();
    const background = left && !await settles(this.ended, 0)
      ? { path: await this.#capture.openFile() }
      : undefined;
    return { ...output, background };
  }
}
