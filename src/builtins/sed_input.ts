import type { ByteSource, Chunk } from "../streams/mod.ts";
import type { BuiltinIo } from "./builtin.ts";
import { findByte } from "./_line_cursor.ts";
import { LineReader, MAX_LINE } from "./_lines.ts";
import { openOperands, type Operand } from "./_operands.ts";
import { SedError } from "./sed_script.ts";
import type { Space } from "./_space.ts";

const EMPTY: Chunk = new Uint8Array(0);
/** The file `-`, told from standard input. */
const DASH_FILE = "./-";

/** A source that is read line by line, possibly by several readers in turn. */
export class LineCursor {
  /** Lent block of whole lines. */
  block: Chunk = EMPTY;
  /** Where the next line starts in it. */
  at = 0;
  readonly #reader: LineReader;
  readonly #separator: number;

  /** Makes a cursor over lines that end with `separator` and have at most so many bytes. */
  constructor(source: ByteSource, separator: number, longest: number) {
    this.#reader = new LineReader(source, separator, longest);
    this.#separator = separator;
  }

  /** Whether a line is at hand. */
  get ready(): boolean {
    return this.at < this.block.length;
  }

  /** Gets the next block in place of the current one; false at the end. */
  async fill(): Promise<boolean> {
    this.block = EMPTY;
    this.at = 0;
    const block = await this.#reader.next();
    if (block === undefined) return false;
    this.block = block;
    return true;
  }

  /** Moves past one line; gives where it ends, behind its separator if it has one. */
  take(): number {
    const found = findByte(this.block, this.#separator, this.at);
    return this.at = found < 0 ? this.block.length : found + 1;
  }
}

/** What an input tells of its files. */
export interface InputHooks {
  /** Before the block that lines were lent from goes away. */
  beforeFill(): void;
  /** A file cannot be opened; what it gives ends the input where a line of a later file is due. */
  cannotOpen(name: string, why: string): SedError | undefined;
}

/** The lines of all input files, with one line of look-ahead where it is asked for. */
export class SedInput {
  /** Number of the current line. */
  line = 0;
  /**
   * Name of the current file; `-` for standard input. As in GNU sed, to look for a line behind the
   * last one of a file goes on to the next file.
   */
  name = "-";
  /**
   * Whether a line follows in this file (`separate`) or in any; `undefined` when that is not known
   * yet.
   */
  more: boolean | undefined;
  /** The file that the next line comes from. */
  cursor: LineCursor;
  readonly #io: BuiltinIo;
  readonly #hooks: InputHooks;
  readonly #separate: boolean;
  readonly #separator: number;
  readonly #operands: AsyncGenerator<Operand, void, void>;
  readonly #nothing: LineCursor;
  readonly #longest: number;
  #stdin: LineCursor | undefined;
  #open = false;
  #readError: SedError | undefined;
  #openError: SedError | undefined;

  /** Makes the input of file operands. */
  constructor(
    names: readonly string[],
    io: BuiltinIo,
    options: { readonly separate: boolean; readonly separator: number },
    hooks: InputHooks,
  ) {
    this.#io = io;
    this.#hooks = hooks;
    this.#separate = options.separate;
    this.#separator = options.separator;
    this.#operands = openOperands(names, io, (problem, operand, why) => {
      const name = shownName(operand);
      if (problem === "open") {
        this.name = name;
        this.#openError ??= hooks.cannotOpen(name, why);
      } else this.#readError ??= new SedError(`read error on ${name}: ${why}`, 4);
    });
    this.#longest = longestLine(io);
    this.#nothing = new LineCursor(io.stdin, 10, this.#longest);
    this.cursor = this.#nothing;
  }

  /** Standard input, whoever reads it. */
  get stdin(): LineCursor {
    return this.#stdin ??= new LineCursor(this.#io.stdin, this.#separator, this.#longest);
  }

  /** Whether somebody reads standard input line by line. */
  get readsStdin(): boolean {
    return this.#stdin !== undefined;
  }

  /** Gives the next line to `space`, in place of its bytes or behind a separator. */
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
  }

  /**
   * Finds out whether a line follows.
   *
   * @throws {SedError} When a file on the way there ends the input, unless `later`: then the error
   * comes when a line is asked for.
   */
  async look(later: boolean): Promise<void> {
    if (!this.cursor.ready && this.#open) await this.#fill();
    while (!this.cursor.ready && !this.#separate && await this.#openNext()) await this.#fill();
    this.#readError = undefined;
    this.more = this.cursor.ready;
    if (this.#openError !== undefined && !later) throw this.#openError;
  }

  /** Gets a line to {@linkcode take} from the current file; false at its end. */
  async advance(): Promise<boolean> {
    if (!this.cursor.ready && this.#open) await this.#fill();
    if (this.#readError !== undefined) throw this.#readError;
    return this.cursor.ready;
  }

  /** Goes on to the next file that can be opened; its name, or `undefined` behind the last. */
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
    this.cursor = value.isStdin
      ? this.stdin
      : new LineCursor(value, this.#separator, this.#longest);
    this.name = shownName(value.name);
    this.#open = true;
    return true;
  }
}

/** Bytes that a line, or what a script makes of lines, may have. */
export function longestLine(io: BuiltinIo): number {
  return io.limits?.lineBytes ?? MAX_LINE;
}

/** The name of a file as an operand: `-` is standard input, but a file with `-i`. */
export function fileOperand(name: string): string {
  return name === "-" ? DASH_FILE : name;
}

/** The name of an operand as it was given. */
function shownName(operand: string): string {
  return operand === DASH_FILE ? "-" : operand;
}
