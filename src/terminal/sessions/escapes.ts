// deno-lint-ignore-file no-control-regex -- this file reads control characters
import { joinBytes } from "../../base/mod.ts";

const ESC = 0x1b;
/** Longest sequence to look at, in bytes; longer ones ask nothing and set no mode. */
const LONGEST = 256;

/** A part of the output of a program. */
export interface Piece {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The escape sequence, if the part is a whole one; each unit is a byte. */
  readonly sequence?: string;
}

/** Splits the output of a program at a terminal, chunk by chunk, into text and escape sequences. */
export class Escapes {
  /** The incomplete sequence at the end of the last chunk. */
  #rest = new Uint8Array();

  /** Splits a chunk; an incomplete sequence at its end is returned with the next one. */
  split(chunk: Uint8Array<ArrayBuffer>): Piece[] {
    const bytes = this.#rest.length === 0 ? chunk : joinBytes([this.#rest, chunk]);
    this.#rest = new Uint8Array();
    const pieces: Piece[] = [];
    let from = 0;
    for (let at = bytes.indexOf(ESC); at !== -1; at = bytes.indexOf(ESC, at)) {
      const end = sequenceEnd(bytes, at);
      if (end === undefined && bytes.length - at <= LONGEST) {
        if (at > from) pieces.push({ bytes: bytes.subarray(from, at) });
        this.#rest = bytes.slice(at);
        return pieces;
      }
      if (end === undefined || end - at > LONGEST) {
        at++;
        continue;
      }
      if (at > from) pieces.push({ bytes: bytes.subarray(from, at) });
      const found = bytes.subarray(at, end);
      pieces.push({ bytes: found, sequence: String.fromCharCode(...found) });
      from = at = end;
    }
    if (from < bytes.length) pieces.push({ bytes: bytes.subarray(from) });
    return pieces;
  }
}

/** The end of the sequence at `at`; `undefined` if it is incomplete. */
function sequenceEnd(bytes: Uint8Array, at: number): number | undefined {
  const first = bytes[at + 1];
  if (first === undefined) return undefined;
  const introducer = String.fromCharCode(first);
  let end = at + 2;
  const skip = (low: number, high: number) => {
    for (let byte = bytes[end]; byte !== undefined && byte >= low && byte <= high;) {
      byte = bytes[++end];
    }
  };
  if ("]PX^_".includes(introducer)) {
    for (; end < bytes.length; end++) {
      const byte = bytes[end];
      if (byte === 0x07 || byte === 0x18 || byte === 0x1a) return end + 1;
      if (byte === ESC) {
        if (end + 1 >= bytes.length) return undefined;
        return bytes[end + 1] === 0x5c ? end + 2 : end;
      }
    }
    return undefined;
  }
  if (introducer === "[") skip(0x30, 0x3f);
  else end = at + 1;
  skip(0x20, 0x2f);
  return end < bytes.length ? end + 1 : undefined;
}

/** Sequences that a terminal answers. */
const QUESTION = new RegExp(
  [
    // Its type, cursor position, modes, version, keys, size.
    "\\x1b\\[[>=]?[0-9;]*c",
    "\\x1b\\[\\??[0-9;]*n",
    "\\x1b\\[\\??[0-9;]*\\$p",
    "\\x1b\\[>[0-9]*q",
    "\\x1b\\[\\?u",
    "\\x1b\\[[01]?x",
    "\\x1b\\[(?:1[1-9]|2[01])(?:;[0-9]*)*t",
    "\\x1b\\[\\?[0-9]+;[14](?:;[0-9]*)*S",
    "\\x1bZ",
    // Colours and the clipboard; settings and capabilities.
    "\\x1b\\][0-9]+(?:;[^;]*)*;\\?(?:\\x07|\\x1b\\\\)",
    "\\x1bP[$+]q[^\\x1b]*\\x1b\\\\",
  ].map((source) => `^${source}$`).join("|"),
);

/**
 * Removes the sequences that a terminal would answer: a session answers once, no matter how many
 * terminals show it.
 */
export class QuestionFilter {
  readonly #escapes = new Escapes();

  /** The parts of a chunk to show. */
  filter(chunk: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>[] {
    return this.#escapes.split(chunk).flatMap(({ bytes, sequence }) =>
      sequence !== undefined && QUESTION.test(sequence) ? [] : [bytes]
    );
  }
}

/** Modes that are normally on: lines wrap (7), and the cursor is visible (25). */
const USUALLY_ON: ReadonlySet<string> = new Set(["7", "25"]);
/** Modes of the alternate screen, which is left first. */
const ALTERNATE: ReadonlySet<string> = new Set(["47", "1047", "1049"]);

/** Notes the modes that programs change, so that the terminal can be restored. */
export class TerminalModes {
  readonly #escapes = new Escapes();
  readonly #changed = new Set<string>();
  readonly #undo = new Map<string, string>();

  /** Notes a chunk that is written to the terminal. */
  note(chunk: Uint8Array<ArrayBuffer>): void {
    for (const { sequence } of this.#escapes.split(chunk)) {
      if (sequence !== undefined) this.#note(sequence);
    }
  }

  /** The text that restores the terminal. */
  restore(): string {
    const modes = [...this.#changed].sort((a, b) =>
      Number(ALTERNATE.has(b)) - Number(ALTERNATE.has(a))
    );
    const back = modes.map((mode) => `\x1b[?${mode}${USUALLY_ON.has(mode) ? "h" : "l"}`).join("");
    // CAN first ends an incomplete sequence.
    return `\x18${back}${[...this.#undo.values()].join("")}\x1b(B\x0f\x1b[0m`;
  }

  #note(sequence: string): void {
    const mode = /^\x1b\[\?([0-9;]+)([hl])$/.exec(sequence);
    if (mode !== null) {
      for (const number of (mode[1] ?? "").split(";")) {
        if (USUALLY_ON.has(number) === (mode[2] === "l")) this.#changed.add(number);
        else this.#changed.delete(number);
      }
    } else if (/^\x1b\[[0-9;]*r$/.test(sequence)) this.#undo.set("region", "\x1b7\x1b[r\x1b8");
    else if (sequence === "\x1b=") this.#undo.set("keypad", "\x1b>");
    else if (sequence === "\x1b[4h") this.#undo.set("insert", "\x1b[4l");
    else if (/^\x1b\[[0-9]* q$/.test(sequence)) this.#undo.set("cursor", "\x1b[0 q");
    else if (/^\x1b\[>4(;[0-9]*)?m$/.test(sequence)) this.#undo.set("keys", "\x1b[>4m");
    else if (/^\x1b\[[>=][0-9;]*u$/.test(sequence)) this.#undo.set("kitty", "\x1b[<9u");
  }
}
