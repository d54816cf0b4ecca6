import { errorText, isFatal, openFile } from "../../core/mod.ts";
import type { BuiltinIo } from "../../builtin.ts";
import { LINE_SHARE, LineCursor, quoteName } from "../../text/mod.ts";
import { LineRef } from "./line_ref.ts";

/** Checks the order always, never, or after a line without a match. */
export type Check = "always" | "never" | "unpaired";

/** An error with a complete message. */
export class CommError extends Error {}

/** One of the two files that `comm` compares, with its current and previous line. */
export class CommInput {
  readonly name: string;
  ended = false;
  /** True after a line without a match, which may be due to wrong order. */
  unpaired = false;
  disordered = false;
  line = new LineRef();
  readonly #lines: LineCursor;
  /** True if both inputs read lines in turn from the same file. */
  #shared = false;
  readonly #io: BuiltinIo;
  readonly #check: Check;
  #before = new LineRef();
  #older = new LineRef();
  #read = 0;

  private constructor(name: string, lines: LineCursor, io: BuiltinIo, check: Check) {
    this.name = name;
    this.#lines = lines;
    this.#io = io;
    this.#check = check;
  }

  /** Opens an input. Two inputs of standard input read its lines in turn. */
  static async open(
    name: string,
    io: BuiltinIo,
    { check, separator }: { readonly check: Check; readonly separator: number },
    shared: CommInput | undefined,
  ): Promise<CommInput> {
    if (shared !== undefined) {
      const input = new CommInput(name, shared.#lines, io, check);
      shared.#shared = input.#shared = true;
      return input;
    }
    try {
      const source = name === "-" ? io.stdin : await openFile(name, io);
      const lines = new LineCursor(source, separator, io.limits?.lineBytes, LINE_SHARE);
      return new CommInput(name, lines, io, check);
    } catch (error) {
      if (isFatal(error, io.signal)) throw error;
      throw new CommError(`${quoteName(name)}: ${errorText(error)}`);
    }
  }

  get mayWait(): boolean {
    return !this.ended && this.#lines.mayWait;
  }

  /** Moves to the next line; false if it is not in memory yet. */
  step(inputs: readonly CommInput[]): boolean {
    if (this.ended) return true;
    if (!this.#lines.step()) return false;
    this.#take(inputs);
    return true;
  }

  /** Reads more and moves to the next line. */
  async fill(inputs: readonly CommInput[]): Promise<void> {
    this.line.keep();
    this.#before.keep();
    try {
      this.ended = !await this.#lines.fill();
    } catch (error) {
      if (isFatal(error, this.#io.signal)) throw error;
      throw new CommError(`${quoteName(this.name)}: ${errorText(error)}`);
    }
    if (!this.ended) this.#take(inputs);
    else {
      this.#turn();
      // The last two lines may have been read before the first line without a match.
      if (this.#read > 1) this.#checkOrder(this.#older, this.#before, inputs);
    }
  }

  #turn(): void {
    const oldest = this.#older;
    this.#older = this.#before;
    this.#before = this.line;
    this.line = oldest;
  }

  #take(inputs: readonly CommInput[]): void {
    this.#turn();
    const { bytes, start, end } = this.#lines;
    this.line.set(bytes, start, end);
    if (this.#shared) this.line.keep();
    if (++this.#read > 1) this.#checkOrder(this.#before, this.line, inputs);
  }

  #checkOrder(before: LineRef, after: LineRef, inputs: readonly CommInput[]): void {
    if (this.#check === "never" || this.disordered) return;
    if (this.#check === "unpaired" && !this.unpaired) return;
    if (before.compare(after) <= 0) return;
    const message = `file ${inputs.indexOf(this) + 1} is not in sorted order`;
    if (this.#check === "always") throw new CommError(message);
    this.#io.warn(`comm: ${message}`);
    this.disordered = true;
  }
}
