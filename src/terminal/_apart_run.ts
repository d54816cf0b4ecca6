import type { ApartResult, Survivors } from "../ports/mod.ts";
import { HeadTail } from "./_head_tail.ts";
import type { Keeper } from "./_keeper.ts";
import { drainPumps, OutputPump, untilStop } from "./_output_pump.ts";
import { settles } from "./_settles.ts";
import type { ApartOptions } from "./apart.ts";

/** A running command whose two outputs are kept separately. */
export class ApartRun {
  /** Settles when no process of the command is left. */
  readonly ended: Promise<void>;
  readonly #keeper: Keeper;
  readonly #stdout: HeadTail;
  readonly #stderr: HeadTail;
  readonly #pumps: readonly OutputPump[];
  #onOutput: ApartOptions["onOutput"];
  #over = false;

  constructor(keeper: Keeper, { maxBytes, onOutput }: Pick<ApartOptions, "maxBytes" | "onOutput">) {
    this.#keeper = keeper;
    this.#stdout = new HeadTail(maxBytes);
    this.#stderr = new HeadTail(maxBytes);
    this.#onOutput = onOutput;
    this.#pumps = [
      new OutputPump(keeper.stdout, (chunk) => this.#take(this.#stdout, chunk)),
      new OutputPump(keeper.stderr, (chunk) => this.#take(this.#stderr, chunk)),
    ];
    this.ended = Promise.all([keeper.ended, ...this.#pumps.map((pump) => pump.done)])
      .then(() => {});
  }

  /** Waits for the end of the command, or kills it. Rejects with the reason of a signal. */
  async wait(
    timeout: number,
    signals: readonly AbortSignal[],
  ): Promise<Omit<ApartResult, "duration">> {
    const { exit } = this.#keeper.control;
    const stop = await untilStop(exit, { timeout, signals });
    if (stop !== undefined) {
      const survivors = await this.kill();
      if (stop !== "timeout") { for (const signal of signals) signal.throwIfAborted(); }
      return this.#result({ exitCode: null, signal: null, timedOut: true, survivors });
    }
    const { exitCode, signal, background } = await this.#keeper.status;
    // Without a report of its end, the command has killed its keeper, so kill the rest, too.
    const lost = await exit === undefined;
    const survivors = lost ? await this.kill() : 0;
    if (!lost) await drainPumps(this.#pumps, background);
    const left = background && !await settles(this.ended, 0);
    return this.#result({ exitCode, signal, survivors, background: left });
  }

  /** Kills all remaining processes; returns the number of those that could not be killed. */
  async kill(): Promise<Survivors> {
    const survivors = await this.#keeper.kill();
    await Promise.all(this.#pumps.map((pump) => pump.end()));
    return survivors;
  }

  #take(output: HeadTail, chunk: Uint8Array<ArrayBuffer>): void {
    // Output after the result is read and dropped, so that background processes are not blocked.
    if (!this.#over) {
      output.add(chunk);
      this.#onOutput?.(chunk);
    }
    // Both receivers have copied the bytes, so free them now: the garbage collector sees only small
    // objects, and would let hundreds of megabytes pile up.
    if (chunk.length === chunk.buffer.byteLength) chunk.buffer.transfer(0);
  }

  #result(
    end: Pick<ApartResult, "exitCode" | "signal" | "survivors"> & Partial<ApartResult>,
  ): Omit<ApartResult, "duration"> {
    this.#over = true;
    this.#onOutput = undefined;
    const outputs = { stdout: this.#stdout.result(), stderr: this.#stderr.result() };
    return { timedOut: false, background: false, ...outputs, ...end };
  }
}
