import type { Chunk } from "../../../streams/mod.ts";
import type { FieldCut } from "./field_cut.ts";

/** Number of fields that are distinguished. */
const FIELDS = 64;
/** The kinds of bytes: delimiter, separator, or any other. */
const DELIMITER = 1;
const SEPARATOR = 2;
/** Shift of the field's number in a state; the kind of a byte is in the lower bits. */
const SHIFT = 2;

/**
 * Cuts mostly short lines, without branches that depend on the bytes: a processor cannot predict
 * the ends of lines. For each field and kind of byte, one table says if the byte is printed,
 * another has the next field.
 */
export class ShortFieldCutter {
  /** The kind of each byte, and the byte printed instead of it. */
  readonly #kinds = new Uint8Array(256);
  readonly #shown = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  readonly #printed = new Uint8Array(FIELDS << SHIFT);
  readonly #next = new Uint8Array(FIELDS << SHIFT);
  readonly #separator: number;
  #out: Chunk = new Uint8Array(0);

  private constructor({ ranges, between, delimiter, separator }: FieldCut) {
    this.#separator = separator;
    this.#kinds[delimiter] = DELIMITER;
    this.#kinds[separator] = SEPARATOR;
    this.#shown[delimiter] = between[0] as number;
    const selected = (field: number): boolean =>
      ranges.some(({ from, to }) => field + 1 >= from && field + 1 <= to);
    for (let field = 0; field < FIELDS; field++) {
      const following = Math.min(field + 1, FIELDS - 1);
      const state = field << SHIFT;
      this.#printed[state] = selected(field) ? 1 : 0;
      // The first field is always printed, so a delimiter precedes all others.
      this.#printed[state + DELIMITER] = selected(following) ? 1 : 0;
      this.#printed[state + SEPARATOR] = 1;
      this.#next[state] = state;
      this.#next[state + DELIMITER] = following << SHIFT;
    }
  }

  /**
   * Creates a cutter for lists that begin with the first field, for which lines without a delimiter
   * are no special case; `undefined` for other lists.
   */
  static of(cut: FieldCut): ShortFieldCutter | undefined {
    const { ranges, between, separator, suppress } = cut;
    const far = ranges.some(({ from, to }) => from >= FIELDS || (to >= FIELDS && to !== Infinity));
    const fits = ranges[0]?.from === 1 && !far && between.length === 1 && !suppress;
    return fits && separator !== 0 ? new ShortFieldCutter(cut) : undefined;
  }

  /** Cuts the lines in `bytes[start..end)`; returns the output, which the next call overwrites. */
  cut(bytes: Chunk, start: number, end: number): Chunk {
    const kinds = this.#kinds;
    const shown = this.#shown;
    const printed = this.#printed;
    const next = this.#next;
    if (this.#out.length <= end - start) this.#out = new Uint8Array(end - start + 1);
    const out = this.#out;
    let put = 0;
    let field = 0;
    for (let at = start; at < end; at++) {
      const byte = bytes[at] as number;
      const state = field | (kinds[byte] as number);
      out[put] = shown[byte] as number;
      put += printed[state] as number;
      field = next[state] as number;
    }
    if (bytes[end - 1] !== this.#separator) out[put++] = this.#separator;
    return out.subarray(0, put);
  }
}
