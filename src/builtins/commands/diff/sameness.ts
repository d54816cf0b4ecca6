const LF = 10;
const CR = 13;

/** Rules by which lines count as the same. */
export interface Sameness {
  readonly ignoreCase: boolean;
  readonly space: "exact" | "tabs" | "trailing" | "amount" | "all";
  readonly tabSize: number;
}

/** True if lines are the same only if all their bytes are. */
export function isExact({ ignoreCase, space }: Sameness): boolean {
  return !ignoreCase && space === "exact";
}

function isSpace(byte: number): boolean {
  return byte === 32 || (byte >= 9 && byte <= 13);
}

/** A line in a canonical form: lines that count as the same have the same form. */
export class CanonicalLine {
  /** The bytes of the form; only the first `length` count. */
  bytes: Uint8Array = new Uint8Array(4096);
  /** Number of bytes. */
  length = 0;
  readonly #sameness: Sameness;

  /** Creates one without a line. */
  constructor(sameness: Sameness) {
    this.#sameness = sameness;
  }

  /** Takes a line without its newline, which is at `from[end]`. */
  take(from: Uint8Array, start: number, end: number): void {
    const { ignoreCase, space, tabSize } = this.#sameness;
    this.length = 0;
    if (space !== "exact" && space !== "tabs") {
      while (end > start && isSpace(from[end - 1] as number)) end--;
    }
    if (this.bytes.length < end - start) this.bytes = new Uint8Array(2 * (end - start));
    let column = 0;
    for (let at = start; at < end; at++) {
      let byte = from[at] as number;
      if (isSpace(byte) && space === "all") continue;
      if (isSpace(byte) && space === "amount") {
        while (isSpace(from[at + 1] as number)) at++;
        byte = 32;
      } else if (byte === 9 && space === "tabs") {
        for (let more = tabSize - column % tabSize; more > 0; more--) {
          this.#put(32);
          column++;
        }
        continue;
      }
      if (byte === 8) column = Math.max(0, column - 1);
      else column = byte === CR ? 0 : column + 1;
      this.#put(ignoreCase && byte >= 65 && byte <= 90 ? byte + 32 : byte);
    }
  }

  #put(byte: number): void {
    if (this.length === this.bytes.length) {
      const grown = new Uint8Array(this.bytes.length * 2);
      grown.set(this.bytes);
      this.bytes = grown;
    }
    this.bytes[this.length++] = byte;
  }
}

/** True if a line is blank, or has only white space and that does not count. */
export function isBlankLine(
  bytes: Uint8Array,
  start: number,
  end: number,
  { space }: Sameness,
): boolean {
  if (start === end) return true;
  if (space === "exact" || space === "tabs") return false;
  for (let at = start; at < end; at++) if (!isSpace(bytes[at] as number)) return false;
  return true;
}

/** Removes carriage returns before newlines, chunk by chunk. */
export class CrStripper {
  #pending = false;

  /** Strips a chunk; returns a copy. */
  strip(chunk: Uint8Array): Uint8Array<ArrayBuffer> {
    const out = new Uint8Array(chunk.length + 1);
    let length = 0;
    for (const byte of chunk) {
      if (this.#pending && byte !== LF) out[length++] = CR;
      this.#pending = byte === CR;
      if (!this.#pending) out[length++] = byte;
    }
    return out.subarray(0, length);
  }
}
