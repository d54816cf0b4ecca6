import type { ByteString } from "./byte_string.ts";
import { RecursiveEscape } from "./escapes.ts";

/** An error in a script or at run time that ends sed. */
export class SedError extends Error {
  /** The error's name. */
  override readonly name = "SedError";
  /** The exit status. */
  readonly status: number;

  /** Creates the error. `message` is printed after `sed: `. */
  constructor(message: string, status = 1) {
    super(message);
    this.status = status;
  }
}

/** Options that affect how a script is read. */
export interface ScriptDialect {
  /** `-E`. */
  readonly extended: boolean;
  /** `--posix`. */
  readonly posix: boolean;
  /** `--sandbox`. */
  readonly sandbox: boolean;
  /** The byte that ends a line: 10, or 0 with `-z`. */
  readonly separator: number;
}

/** One `-e` or `-f` option. */
export interface ScriptPiece {
  /** The options before it on the command line, which determine how it is read. */
  readonly dialect: ScriptDialect;
  /** The file's name; absent for `-e`. */
  readonly file?: string;
  /** The commands. */
  readonly text: ByteString;
}

/** Reads a script byte by byte and tracks its position. */
export class ScriptReader {
  #text: ByteString = "";
  #at = 0;
  #line = 1;
  #file: string | undefined;
  #expression = 0;

  /** Continues with the next `-e` or `-f`. */
  open(piece: ScriptPiece): void {
    this.#text = piece.text;
    this.#at = 0;
    this.#line = 1;
    this.#file = piece.file;
    if (piece.file === undefined) this.#expression++;
  }

  /** True if this part starts with `#n`. GNU sed does not require that the line ends there. */
  get startsWithSilence(): boolean {
    return this.#text.startsWith("#n");
  }

  /** The next byte; `""` at the end of the part. */
  read(): string {
    if (this.#at >= this.#text.length) return "";
    const ch = this.#text[this.#at++] as string;
    if (ch === "\n") this.#line++;
    return ch;
  }

  /** Undoes a {@linkcode read} that returned `ch`. */
  back(ch: string): void {
    if (ch === "") return;
    this.#at--;
    if (ch === "\n") this.#line--;
  }

  /** The next byte that is neither a space nor a tab. */
  readNonBlank(): string {
    for (;;) {
      const ch = this.read();
      if (ch !== " " && ch !== "\t") return ch;
    }
  }

  /** A decimal number whose first digit is `ch`. */
  readNumber(ch: string): number {
    let value = 0;
    while (isDigit(ch)) {
      value = value * 10 + Number(ch);
      ch = this.read();
    }
    this.back(ch);
    return value;
  }

  /** The rest of the line. */
  readLine(): ByteString {
    let text = "";
    for (let ch = this.readNonBlank(); ch !== "" && ch !== "\n"; ch = this.read()) text += ch;
    return text;
  }

  /** The current position, for messages. */
  get place(): string {
    return this.#placeAt(this.#at);
  }

  /** The start of the part, which GNU sed reports for a block without end. */
  get start(): string {
    return this.#placeAt(0);
  }

  #placeAt(at: number): string {
    return this.#file === undefined
      ? `-e expression #${this.#expression}, char ${at}`
      : `file ${this.#file} line ${this.#line}`;
  }

  /** Throws an error with the position. */
  fail(why: string): never {
    throw new SedError(`${this.place}: ${why}`);
  }
}

/** True if a byte is a decimal digit. */
export function isDigit(ch: string): boolean {
  return ch >= "0" && ch <= "9" && ch.length === 1;
}

/** The message for commands that `--sandbox` forbids. */
export const SANDBOX = "e/r/w commands disabled in sandbox mode";

/** Calls a function that reads escapes, and adds the position to its errors. */
export function escaped<T>(reader: ScriptReader, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof RecursiveEscape) reader.fail(error.message);
    throw error;
  }
}
