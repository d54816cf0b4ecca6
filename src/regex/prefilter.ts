/**
 * Selecting lines by the literals that a match must contain.
 *
 * @module
 */

import type { Literals } from "./literal.ts";
import { lineEnd, type Spans } from "./lines.ts";
import type { Program } from "./program.ts";
import { hasMatch } from "./search.ts";

/** Bytes searched as one string: what stays in the processor's cache. */
const piece = 1 << 16;

/**
 * Up to this many characters V8 finds a string by its first character, at the speed of `memchr`;
 * a longer one takes it twice the time.
 */
const needleLength = 6;

/** Bytes of logs and prose, most frequent first. */
const frequent = " etaoinrsldcuhmpfg./01-:2byw3v456789_\",=()k'x\t";

/** The part of a string that is looked for: it begins with the rarest byte. */
interface Needle {
  readonly text: string;
  readonly part: string;
  readonly offset: number;
}

function needleOf(text: string): Needle {
  let offset = 0;
  let rarest = -1;
  for (let i = 0; i < text.length; i++) {
    const place = frequent.indexOf(text.charAt(i));
    // A part of one or two characters is found too often.
    const rank = (place < 0 ? frequent.length : place) - (text.length - i < 3 ? 30 : 0);
    if (rank > rarest || i === 0) {
      rarest = rank;
      offset = i;
    }
  }
  return { text, part: text.slice(offset, offset + needleLength), offset };
}

/** Where the needle's text is in `text` at `from` or later, or -1. */
function find(text: string, { text: whole, part, offset }: Needle, from: number): number {
  for (let at = text.indexOf(part, from + offset); at >= 0; at = text.indexOf(part, at + 1)) {
    const start = at - offset;
    if (part.length === whole.length || text.startsWith(whole, start)) return start;
  }
  return -1;
}

type Slice = (this: Uint8Array, start: number, end: number) => string;

/**
 * Node's `Buffer.prototype.latin1Slice`, where the runtime has it as a global (Node, Deno, Bun): the
 * one way to make a string of bytes at memory speed. Elsewhere there is no prefilter.
 */
function latin1Slice(): Slice | undefined {
  const buffer: unknown = Reflect.get(globalThis, "Buffer");
  if (typeof buffer !== "function") return undefined;
  const { prototype } = buffer;
  const slice: unknown = prototype?.latin1Slice;
  return typeof slice === "function" ? slice as Slice : undefined;
}

/** Searches blocks of whole lines for literals, and looks closer only at lines that have one. */
export class Prefilter {
  readonly #program: Program;
  readonly #literals: Literals;
  /** `null`: there is none. */
  #slice: Slice | null | undefined;
  /** Next place of each string in the piece, or -1. */
  readonly #places: number[];
  readonly #needles: readonly Needle[];
  #searched = 0;
  #hits = 0;

  constructor(program: Program, literals: Literals) {
    this.#program = program;
    this.#literals = literals;
    this.#needles = literals.strings.map(needleOf);
    this.#places = literals.strings.map(() => -1);
  }

  /**
   * Whether looking for the literals first pays in a block of `size` bytes: they must be rare if
   * lines are then matched, and the runtime takes milliseconds to load `Buffer`.
   */
  pays(size: number): boolean {
    if (this.#slice === undefined) {
      if (size < piece) return false;
      this.#slice = latin1Slice() ?? null;
    }
    if (this.#slice === null) return false;
    return this.#literals.exact || this.#searched < piece || this.#hits * 800 < this.#searched;
  }

  /**
   * Adds the matching lines of `block[start..end)` to `out`. Returns where it stopped: at `end`, or
   * at the start of a line because it no longer pays.
   */
  scan(block: Uint8Array, start: number, end: number, separator: number, out: Spans): number {
    let at = start;
    const mark = String.fromCharCode(separator);
    if (this.#literals.strings.some((text) => text.includes(mark))) return at;
    while (at < end && this.pays(piece)) {
      const nominal = at + piece;
      const stop = nominal >= end ? end : lineEnd(block, nominal, end, separator);
      this.#piece(block, at, stop, separator, out);
      this.#searched += stop - at;
      at = stop;
    }
    return at;
  }

  #piece(block: Uint8Array, start: number, end: number, separator: number, out: Spans): void {
    const { exact } = this.#literals;
    const text = (this.#slice as Slice).call(block, start, end);
    const needles = this.#needles;
    const places = this.#places;
    const mark = String.fromCharCode(separator);
    for (let i = 0; i < needles.length; i++) places[i] = find(text, needles[i] as Needle, 0);
    // Offsets are those of the piece: `from` is where the lines not yet looked at begin.
    for (let from = 0;;) {
      let hit = Infinity;
      for (let i = 0; i < needles.length; i++) {
        let place = places[i] as number;
        if (place >= 0 && place < from) {
          place = places[i] = find(text, needles[i] as Needle, from);
        }
        if (place >= 0 && place < hit) hit = place;
      }
      if (hit === Infinity) return;
      // Where hits are dense, the line's end found from its start saves the way back.
      let lineStart = from;
      let next = hit - from < 200 ? text.indexOf(mark, from) : -1;
      if (next < hit) {
        lineStart = hit;
        while (lineStart > from && block[start + lineStart - 1] !== separator) lineStart--;
        next = text.indexOf(mark, hit);
      }
      next = next < 0 ? text.length : next + 1;
      this.#hits++;
      if (exact || this.#matches(block, start + lineStart, start + next, separator)) {
        out.push(start + lineStart, start + next);
        out.matched++;
      }
      from = next;
    }
  }

  #matches(block: Uint8Array, start: number, next: number, separator: number): boolean {
    const end = block[next - 1] === separator ? next - 1 : next;
    return hasMatch(this.#program, block, start, end, start);
  }
}
