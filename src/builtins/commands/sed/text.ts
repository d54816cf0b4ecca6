import { unescapeText } from "./escapes.ts";
import type { SedCommand } from "./program.ts";
import { escaped, isDigit, type ScriptReader } from "./script.ts";
import { type ByteString, fromByteString } from "./byte_string.ts";

/** The message for `a`, `c` and `i` without text. */
const EXPECTED_TEXT = "expected \\ after `a', `c' or `i'";

/** Reads the text of `a`, `i` and `c`, which may continue in the next part of the script. */
export class TextParser {
  readonly #reader: ScriptReader;
  #command: SedCommand | undefined;
  #text: ByteString = "";

  /** Creates a parser for a script. */
  constructor(reader: ScriptReader) {
    this.#reader = reader;
  }

  /** Reads the text after the command's letter; `add` creates the command. */
  parse(add: () => SedCommand, posix: boolean): void {
    const reader = this.#reader;
    let ch = reader.readNonBlank();
    if (ch === "") reader.fail(EXPECTED_TEXT);
    if (ch === "\\") {
      ch = reader.read();
      if (ch !== "\n") reader.back(ch);
    } else {
      if (posix) reader.fail(EXPECTED_TEXT);
      reader.back(ch);
    }
    this.#command = add();
    this.#text = "";
    if (ch !== "") this.goOn();
  }

  /** True if there is text that may continue in the next part. */
  get open(): boolean {
    return this.#command !== undefined;
  }

  /** Continues with text that the previous part left unfinished, if any. */
  goOn(): void {
    if (this.#command === undefined) return;
    const reader = this.#reader;
    let ch = reader.read();
    while (ch !== "" && ch !== "\n") {
      this.#text += ch;
      if (ch === "\\") {
        ch = reader.read();
        if (ch === "") {
          this.#text = this.#text.slice(0, -1) + "\n";
          return;
        }
        this.#text += ch;
      }
      ch = reader.read();
    }
    this.#text += "\n";
    this.#text = escaped(reader, () => unescapeText(this.#text));
    this.finish();
  }

  /**
   * Ends text at the end of the script. After a trailing backslash its escapes are kept, as in GNU
   * sed.
   */
  finish(): void {
    if (this.#command !== undefined) this.#command.text = fromByteString(this.#text);
    this.#command = undefined;
  }
}

/** The version of GNU sed that is implemented. */
const VERSION = "4.9";

/**
 * True if a version, the argument of `v`, is newer than ours. Compared as in C's `strverscmp`: runs
 * of digits are numbers.
 */
export function isNewerVersion(version: string): boolean {
  const theirs = VERSION.match(/\d+|\D/g) ?? [];
  for (const [i, part] of (version.match(/\d+|\D/g) ?? []).entries()) {
    const other = theirs[i] ?? "";
    if (part === other) continue;
    const numbers = isDigit(part[0] ?? "") && isDigit(other[0] ?? "");
    return numbers ? Number(part) > Number(other) : part > other;
  }
  return false;
}
