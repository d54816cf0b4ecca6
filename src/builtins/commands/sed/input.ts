import type { Chunk } from "../../../streams/mod.ts";
import { openOperands, type Operand } from "../../core/mod.ts";
import type { BuiltinIo } from "../../builtin.ts";
import { MAX_LINE, type Space } from "../../text/mod.ts";
import { LineCursor } from "./cursor.ts";
import { SedError } from "./script.ts";
import { StandardInput } from "./standard_input.ts";

/** The operand for a file named `-`, as opposed to standard input. */
const DASH_FILE = "./-";

/** Callbacks of an input. */
export interface InputHooks {
  /** Called before a block with lent lines becomes invalid. */
  beforeFill(): void;
  /**
   * Called when a file cannot be opened. A returned error ends the input before the first line of a
   * later file.
   */
  cannotOpen(name: string, why: string): SedError | undefined;
}

/** The lines of all input files, with a look-ahead of one line on request. */
export class SedInput {
  /** Number of the current line. */
  line = 0;
  /**
   * Name of the current file; `-` for standard input. As in GNU sed, looking ahead at the end of a
   * file moves on to the next file.
   */
  name = "-";
  /**
   * True if another line follows in this file (`separate`) or in any file; `undefined` if not known
   * yet.
   */
  more: boolean | undefined;
  /**
   * True if {@linkcode more} was used since the last line was taken: GNU sed has then read one byte
   * of the next line.
   */
  asked = false;
  /** Standard input, which several commands may read. */
  readonly stdin: StandardInput;
  /** The file that the next line comes from. */
  cursor: LineCursor;
  readonly #hooks: InputHooks;
  readonly #separate: boolean;
  readonly #separator: number;
  readonly #unbuffered: boolean;
  readonly #operands: AsyncGenerator<Operand, void, void>;
  readonly #nothing: LineCursor;
  readonly #longest: number;
  #open = false;
  #readError: SedError | undefined;
  #openError: SedError | undefined;

  /** Creates the input of file operands. */
  constructor(
    names: readonly string[],
    io: BuiltinIo,
    options: {
      readonly separate: boolean;
      readonly separator: number;
      readonly unbuffered: boolean;
    },
    hooks: InputHooks,
  ) {
    this.#hooks = hooks;
    this.#separate = options.separate;
    this.#separator = options.separator;
    this.#unbuffered = options.unbuffered;
    this.#operands = openOperands(names, io, (problem, operand, why) => {
      const name = shownName(operand);
      if (problem === "open") {
        this.name = name;
        this.#openError ??= hooks.cannotOpen(name, why);
      } else this.#readError ??= new SedError(`read error on ${name}: ${why}`, 4);
    });
    this.#longest = longestLine(io);
    this.stdin = new StandardInput(io.stdin, options.separator, this.#longest);
    this.#nothing = new LineCursor(io.stdin, 10, this.#longest);
    this.cursor = this.#nothing;
  }

  /** Moves the next line to `space`, replacing its contents or appending after a separator. */
  take(space: Space, append: boolean): void {
    if (this.#openError !== undefined) throw this.#openError;
    const { cursor } = this;
    const start = cursor.at;
    const next = cursor.take();
    const { block } = cursor;
    space.complete = block[next - 1] === this.#separator;
    const end = space.complete ? next - 1 : next;
    if (append) {
      space.appendByte(this.#separator);
      space.append(block, start, end);
    } else {
      space.lend(block, start, end);
    }
    this.line++;
    this.more = next < block.length ? true : undefined;
    this.asked = false;
  }

  /** To be called when a command has read lines of `cursor`, which may be the current input. */
  takenFrom(cursor: LineCursor): void {
    if (cursor !== this.cursor) return;
    this.more = undefined;
    this.asked = false;
  }

  /** Reads the contents of `r /dev/stdin`; see {@linkcode StandardInput.rest}. */
  async *restOfStdin(): AsyncGenerator<Chunk, void, void> {
    this.#hooks.beforeFill();
    yield* this.stdin.rest(this.asked && this.cursor.ready && this.stdin.reads(this.cursor));
    this.more = undefined;
    if (!this.cursor.ready && this.#open) await this.#fill();
  }

  /**
   * Determines if another line follows.
   *
   * @throws {SedError} When the next file ends the input with an error, unless `later`: then the
   * error is thrown when a line is requested.
   */
  async look(later: boolean): Promise<void> {
    if (!this.cursor.ready && this.#open) await this.#fill();
    while (!this.cursor.ready && !this.#separate && await this.#openNext()) await this.#fill();
    this.#readError = undefined;
    this.more = this.cursor.ready;
    if (this.#openError !== undefined && !later) throw this.#openError;
  }

  /** Makes a line of the current file available to {@linkcode take}; false at its end. */
  async advance(): Promise<boolean> {
    if (!this.cursor.ready && this.#open) await this.#fill();
    if (this.#readError !== undefined) throw this.#readError;
    return this.cursor.ready;
  }

  /** Moves to the next file that can be opened; returns its name, or `undefined` after the last. */
  async nextFile(): Promise<string | undefined> {
    const opened = this.#openError === undefined && await this.#openNext();
    if (this.#openError !== undefined) throw this.#openError;
    return opened ? this.name : undefined;
  }

  /** Closes the current file. */
  async close(): Promise<void> {
    await this.#operands.return();
  }

  async #fill(): Promise<void> {
    this.#hooks.beforeFill();
    if (!await this.cursor.fill()) {
      this.#open = false;
      this.cursor = this.#nothing;
    }
  }

  async #openNext(): Promise<boolean> {
    this.#hooks.beforeFill();
    const { done, value } = await this.#operands.next();
    if (done === true) return false;
    if (value.isStdin) this.stdin.unbuffered = this.#unbuffered;
    this.cursor = value.isStdin
      ? this.stdin.lines
      : new LineCursor(value, this.#separator, this.#longest);
    this.name = shownName(value.name);
    this.#open = true;
    return true;
  }
}

/** Maximum size in bytes of a line, and of the spaces of a script. */
export function longestLine(io: BuiltinIo): number {
  return io.limits?.lineBytes ?? MAX_LINE;
}

/** The operand for a file with `-i`, where `-` is not standard input but a file. */
export function fileOperand(name: string): string {
  return name === "-" ? DASH_FILE : name;
}

/** The name of an operand as given on the command line. */
function shownName(operand: string): string {
  return operand === DASH_FILE ? "-" : operand;
}
