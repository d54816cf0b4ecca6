/**
 * Selects lines with four interleaved scans.
 *
 * A table-driven automaton waits for memory at each step, as each address depends on the step
 * before. Four scans of different parts of a block are independent, so the processor overlaps their
 * waits. Each scan reads four bytes at once, and its table has one column a byte.
 *
 * @module
 */

import { Beside } from "./ast.ts";
import { type Dfa, MATCH, MORE, UNKNOWN } from "./dfa.ts";
import { Lane } from "./lane.ts";
import { lineEnd, type Spans } from "./lines.ts";
import type { Program } from "./program.ts";
import { symbolAt, symbolLength } from "./utf8.ts";

/** A segment's range of spans. */
interface Segment {
  readonly lane: Lane;
  readonly from: number;
  to: number;
}

/** With more states the table no longer fits in the processor's caches. */
const maxStates = 2048;

/** Scans blocks of whole lines, four segments at a time. */
export class LaneScanner {
  /** The byte that ends a line. */
  readonly separator: number;
  readonly #program: Program;
  readonly #dfa: Dfa;
  readonly #columns: Uint16Array;
  readonly #wide: readonly number[] | undefined;
  readonly #lanes: readonly [Lane, Lane, Lane, Lane] = [
    new Lane(),
    new Lane(),
    new Lane(),
    new Lane(),
  ];
  /** `table[row + byte]` is the next row, or a negative value as in the automaton. */
  #table: Int32Array = new Int32Array(256 * 16).fill(UNKNOWN);
  #segments: Segment[] = [];
  #block: Uint8Array = new Uint8Array(0);
  #words: Int32Array = new Int32Array(0);
  #cursor = 0;
  #end = 0;
  #size = 0;
  #epoch = -1;
  #first = 0;
  #dropped = false;

  constructor(program: Program, separator: number) {
    this.#program = program;
    this.#dfa = program.select;
    this.separator = separator;
    const { ofByte, classes, wideClasses } = program.alphabet;
    this.#columns = ofByte.slice();
    this.#columns[separator] = classes;
    this.#wide = wideClasses;
  }

  /** True if the automaton is small enough and never had to drop its states. */
  get usable(): boolean {
    return !this.#dropped && this.#dfa.size <= maxStates;
  }

  /**
   * Adds the matching lines of `block[start..end)` to `out`; the last line has its separator.
   * Returns the end of the scan: `end`, or the start of a line if a pause is due or the automaton
   * is no longer {@linkcode usable}.
   */
  scan(block: Uint8Array, start: number, end: number, out: Spans): number {
    // Lanes read 32-bit words, so offsets count from the buffer's start.
    const shift = block.byteOffset;
    const { buffer } = block;
    this.#block = new Uint8Array(buffer);
    this.#words = new Int32Array(buffer, 0, buffer.byteLength >> 2);
    this.#cursor = start + shift;
    this.#end = end + shift;
    this.#size = Math.max(2048, (end - start) >> 6);
    this.#segments = [];
    if (this.#dfa.epoch !== this.#epoch) this.#renew();
    for (const lane of this.#lanes) {
      lane.spans.clear();
      lane.at = lane.end = 0;
      this.#take(lane);
    }
    this.#interleave();
    for (const lane of this.#lanes) {
      while (lane.at < lane.end && this.#goesOn) this.#steps(lane, lane.end);
    }
    this.#program.pace.left -= (end - start) >> 1;
    let stop = this.#cursor;
    for (const lane of this.#lanes) {
      if (lane.at < lane.end) stop = Math.min(stop, this.#lineStart(lane));
    }
    for (const { lane, from, to } of this.#segments) {
      const { spans } = lane.spans;
      // Lines after the end of the scan will be scanned again.
      let upTo = to;
      while (upTo > from && (spans[upTo - 1] as number) > stop) upTo -= 2;
      out.append(lane.spans, from, upTo, shift);
    }
    return stop - shift;
  }

  /** True if the lanes may continue. */
  get #goesOn(): boolean {
    return this.usable && this.#program.pace.left >= 0;
  }

  /** Clears the table after the automaton dropped its states. */
  #renew(): void {
    this.#first = this.#dfa.start(Beside.edge) / this.#dfa.stride << 8;
    this.#epoch = this.#dfa.epoch;
    this.#table.fill(UNKNOWN);
  }

  /** Assigns the next segment to the lane; returns false if there is none. */
  #take(lane: Lane): boolean {
    if (this.#cursor >= this.#end) return false;
    lane.at = lane.start = this.#cursor;
    const nominal = this.#cursor + this.#size;
    lane.end = nominal >= this.#end
      ? this.#end
      : lineEnd(this.#block, nominal, this.#end, this.separator);
    lane.row = this.#first;
    this.#cursor = lane.end;
    const length = lane.spans.length;
    lane.segment = this.#segments.push({ lane, from: length, to: length }) - 1;
    return true;
  }

  #interleave(): void {
    const [lane0, lane1, lane2, lane3] = this.#lanes;
    const words = this.#words;
    for (;;) {
      for (const lane of this.#lanes) {
        // A lane joins at a word boundary with at least one word left.
        while ((lane.at & 3) !== 0 || lane.end - lane.at < 4) {
          if (!this.#goesOn) return;
          if (lane.at >= lane.end) {
            if (!this.#take(lane)) return;
          } else {
            this.#steps(lane, Math.min(lane.end, (lane.at | 3) + 1));
          }
        }
      }
      if (!this.#goesOn || this.#lanes.some((lane) => !this.#room(lane.row))) return;
      const table = this.#table;
      let { row: row0 } = lane0;
      let { row: row1 } = lane1;
      let { row: row2 } = lane2;
      let { row: row3 } = lane3;
      let at0 = lane0.at >> 2;
      let at1 = lane1.at >> 2;
      let at2 = lane2.at >> 2;
      let at3 = lane3.at >> 2;
      const stop = at0 + Math.min(
        (lane0.end >> 2) - at0,
        (lane1.end >> 2) - at1,
        (lane2.end >> 2) - at2,
        (lane3.end >> 2) - at3,
      );
      let stopped = false;
      while (at0 < stop) {
        const word0 = words[at0] as number;
        const word1 = words[at1] as number;
        const word2 = words[at2] as number;
        const word3 = words[at3] as number;
        stopped = true;
        let next0 = table[row0 + (word0 & 255)] as number;
        let next1 = table[row1 + (word1 & 255)] as number;
        let next2 = table[row2 + (word2 & 255)] as number;
        let next3 = table[row3 + (word3 & 255)] as number;
        if ((next0 | next1 | next2 | next3) < 0) break;
        next0 = table[next0 + (word0 >> 8 & 255)] as number;
        next1 = table[next1 + (word1 >> 8 & 255)] as number;
        next2 = table[next2 + (word2 >> 8 & 255)] as number;
        next3 = table[next3 + (word3 >> 8 & 255)] as number;
        if ((next0 | next1 | next2 | next3) < 0) break;
        next0 = table[next0 + (word0 >> 16 & 255)] as number;
        next1 = table[next1 + (word1 >> 16 & 255)] as number;
        next2 = table[next2 + (word2 >> 16 & 255)] as number;
        next3 = table[next3 + (word3 >> 16 & 255)] as number;
        if ((next0 | next1 | next2 | next3) < 0) break;
        next0 = table[next0 + (word0 >>> 24)] as number;
        next1 = table[next1 + (word1 >>> 24)] as number;
        next2 = table[next2 + (word2 >>> 24)] as number;
        next3 = table[next3 + (word3 >>> 24)] as number;
        if ((next0 | next1 | next2 | next3) < 0) break;
        row0 = next0;
        row1 = next1;
        row2 = next2;
        row3 = next3;
        at0++;
        at1++;
        at2++;
        at3++;
        stopped = false;
      }
      lane0.at = at0 << 2;
      lane0.row = row0;
      lane1.at = at1 << 2;
      lane1.row = row1;
      lane2.at = at2 << 2;
      lane2.row = row2;
      lane3.at = at3 << 2;
      lane3.row = row3;
      if (stopped) {
        for (const lane of this.#lanes) this.#steps(lane, lane.at + 4);
      }
    }
  }

  /** Advances one lane to `to` or past it, unless the lanes must stop. */
  #steps(lane: Lane, to: number): void {
    const block = this.#block;
    while (lane.at < to) {
      let { at, row } = lane;
      const table = this.#table;
      let next = row;
      while (at < to) {
        next = row < table.length ? table[row + (block[at] as number)] as number : UNKNOWN;
        if (next < 0) break;
        row = next;
        at++;
      }
      lane.at = at;
      lane.row = row;
      if (next === MATCH) this.#found(lane);
      else if (next === MORE) this.#decode(lane);
      else if (next < 0) this.#learn(lane);
      if (next < 0 && !this.#goesOn) return;
    }
  }

  /** Fills in a transition of the table if there is room. */
  #learn(lane: Lane): void {
    const dfa = this.#dfa;
    const column = this.#columns[this.#block[lane.at] as number] as number;
    if (column > this.#program.alphabet.classes) return this.#learnWide(lane);
    const made = dfa.next((lane.row >> 8) * dfa.stride, column);
    const next = made < 0 ? made : made / dfa.stride << 8;
    const { row } = lane;
    if (!this.#room(row) || !this.#room(next)) return;
    for (let byte = 0; byte < 256; byte++) {
      if (this.#columns[byte] === column) this.#table[row + byte] = next;
    }
  }

  /**
   * If all symbols beyond ASCII lead to one state, and from there back to it, they need not be
   * decoded. Otherwise bytes from 0x80 on are marked {@linkcode MORE}.
   */
  #learnWide(lane: Lane): void {
    const { row } = lane;
    let target = MORE;
    for (const column of this.#wide ?? []) {
      const next = this.#peek(row, column);
      if (target === MORE) target = next;
      if (next < 0 || next !== target || this.#peek(next, column) !== next) {
        target = MORE;
        break;
      }
    }
    if (this.#room(row) && this.#room(target)) this.#table.fill(target, row + 0x80, row + 0x100);
  }

  /** The row that `column` leads to from `row`, or {@linkcode MORE} if there is none. */
  #peek(row: number, column: number): number {
    const dfa = this.#dfa;
    if (dfa.epoch !== this.#epoch) return MORE;
    const made = dfa.next((row >> 8) * dfa.stride, column);
    return made < 0 || dfa.epoch !== this.#epoch ? MORE : made / dfa.stride << 8;
  }

  /**
   * Makes room for the row; negative values need none. False if there are too many rows, or the
   * automaton has dropped its states: the lanes then stop.
   */
  #room(row: number): boolean {
    if (this.#dfa.epoch !== this.#epoch) this.#dropped = true;
    if (row >> 8 >= maxStates || this.#dropped) return false;
    if (row < this.#table.length) return true;
    const grown = new Int32Array(Math.max(row + 256, this.#table.length * 2)).fill(UNKNOWN);
    grown.set(this.#table);
    this.#table = grown;
    return true;
  }

  /** Advances over symbols beyond ASCII. */
  #decode(lane: Lane): void {
    const block = this.#block;
    const dfa = this.#dfa;
    const { alphabet } = this.#program;
    alphabet.expand();
    let { at } = lane;
    let row = (lane.row >> 8) * dfa.stride;
    while (at < lane.end && (block[at] as number) >= 0x80) {
      const symbol = symbolAt(block, at, lane.end);
      const next = dfa.next(row, alphabet.ofSymbol(symbol));
      if (!this.#room(MORE)) return;
      if (next === MATCH) {
        lane.at = at;
        return this.#found(lane);
      }
      row = next;
      at += symbolLength(symbol);
    }
    lane.at = at;
    lane.row = row / dfa.stride << 8;
  }

  #found(lane: Lane): void {
    const { at, spans } = lane;
    const from = this.#lineStart(lane);
    lane.at = lineEnd(this.#block, at, lane.end, this.separator);
    lane.row = this.#first;
    const segment = this.#segments[lane.segment] as Segment;
    spans.push(from, lane.at);
    segment.to = spans.length;
  }

  #lineStart(lane: Lane): number {
    if (lane.at <= lane.start) return lane.start;
    return Math.max(lane.start, this.#block.lastIndexOf(this.separator, lane.at - 1) + 1);
  }
}
