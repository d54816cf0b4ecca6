/**
 * The search for a shortest path between two files: Myers' algorithm in linear space, with GNU
 * diff's limits on its cost.
 *
 * @module
 */

import { LimitError } from "../../../streams/mod.ts";
import type { Flags, Kept } from "./flags.ts";
import { type Box, goodSplit, type Reach, SNAKE, type Split } from "./split.ts";

/** Options of a search. */
export interface SearchOptions {
  /** True to find a smallest set of changes, however long it takes (`-d`). */
  readonly minimal: boolean;
  /** True to accept long runs of equal lines as good enough (`--speed-large-files`). */
  readonly speed: boolean;
  /** Most steps of a minimal search. */
  readonly steps: number;
}

/** Smallest cost at which a search that is not minimal gives up. */
const TOO_EXPENSIVE = 4096;

/** The point where the searches from both ends met; `x` is -1 if they have not. */
interface Meeting {
  x: number;
  y: number;
  /** True if a long run of equal lines was passed. */
  bigSnake: boolean;
}

/** Steps after which the event loop turns. */
const TURN = 1 << 21;

/** The search between two files; flags the lines that differ. */
export class Search {
  readonly #x: Int32Array;
  readonly #y: Int32Array;
  readonly #kept: readonly [Kept, Kept];
  readonly #changed: readonly [Flags, Flags];
  readonly #options: SearchOptions;
  readonly #tooExpensive: number;
  readonly #turn: () => Promise<void>;
  /**
   * The furthest `x` on each diagonal. The searches start at the diagonals `fmid` and `bmid`, in
   * the middle of the arrays, and reach one further to both sides with each step. There is room for
   * `#room` steps.
   */
  #forward: Int32Array;
  #backward: Int32Array;
  #room: number;
  #work = 0;
  #steps = 0;
  readonly #meeting: Meeting = { x: -1, y: -1, bigSnake: false };

  /** Prepares a search. `turn` lets the event loop turn, and may throw to end the search. */
  constructor(
    kept0: Kept,
    kept1: Kept,
    changed: readonly [Flags, Flags],
    options: SearchOptions,
    turn: () => Promise<void>,
  ) {
    this.#x = kept0.lines;
    this.#y = kept1.lines;
    this.#kept = [kept0, kept1];
    this.#changed = changed;
    this.#options = options;
    this.#turn = turn;
    const diagonals = this.#x.length + this.#y.length + 3;
    let expensive = 1;
    for (let rest = diagonals; rest !== 0; rest >>= 2) expensive *= 2;
    this.#tooExpensive = Math.max(TOO_EXPENSIVE, expensive);
    this.#room = Math.min(diagonals, this.#tooExpensive) + 2;
    this.#forward = new Int32Array(2 * this.#room + 1);
    this.#backward = new Int32Array(2 * this.#room + 1);
  }

  /** Flags the lines that differ between `x[x0..x1)` and `y[y0..y1)`. */
  async compare(x0: number, x1: number, y0: number, y1: number, minimal: boolean): Promise<void> {
    const x = this.#x;
    const y = this.#y;
    for (;;) {
      while (x0 < x1 && y0 < y1 && x[x0] === y[y0]) {
        x0++;
        y0++;
      }
      while (x0 < x1 && y0 < y1 && x[x1 - 1] === y[y1 - 1]) {
        x1--;
        y1--;
      }
      if (x0 === x1) {
        for (; y0 < y1; y0++) this.#changed[1].set(this.#kept[1].indexes[y0] as number, 1);
        return;
      }
      if (y0 === y1) {
        for (; x0 < x1; x0++) this.#changed[0].set(this.#kept[0].indexes[x0] as number, 1);
        return;
      }
      const split = await this.#split({ x0, x1, y0, y1 }, minimal);
      await this.compare(x0, split.x, y0, split.y, split.minimal0);
      x0 = split.x;
      y0 = split.y;
      minimal = split.minimal1;
    }
  }

  /** Searches from both ends for the middle of a shortest path. */
  async #split(box: Box, minimal: boolean): Promise<Split> {
    const { x0, x1, y0, y1 } = box;
    const fmid = x0 - y0;
    const bmid = x1 - y1;
    const reach: Reach = { fmin: fmid, fmax: fmid, bmin: bmid, bmax: bmid };
    const odd = ((fmid - bmid) & 1) !== 0;
    this.#forward[this.#room] = x0;
    this.#backward[this.#room] = x1;
    const meeting = this.#meeting;
    for (let cost = 1;; cost++) {
      if (cost + 1 >= this.#room) this.#grow();
      meeting.x = -1;
      meeting.bigSnake = false;
      this.#stepForward(box, reach, odd);
      if (meeting.x < 0) this.#stepBackward(box, reach, odd);
      if (meeting.x >= 0) return { x: meeting.x, y: meeting.y, minimal0: true, minimal1: true };
      this.#work += cost;
      if (this.#work > TURN) {
        this.#countSteps();
        await this.#turn();
      }
      if (minimal) continue;
      if (cost > 200 && meeting.bigSnake && this.#options.speed) {
        const good = this.#goodSplit(1, box, reach, cost) ??
          this.#goodSplit(-1, box, reach, cost);
        if (good !== undefined) return good;
      }
      if (cost >= this.#tooExpensive) return this.#furthest(box, reach);
    }
  }

  #goodSplit(sign: 1 | -1, box: Box, reach: Reach, cost: number): Split | undefined {
    const furthest = sign > 0 ? this.#forward : this.#backward;
    const half = { sign, furthest, room: this.#room };
    return goodSplit(this.#x, this.#y, half, box, reach, cost);
  }

  #countSteps(): void {
    this.#steps += this.#work;
    this.#work = 0;
    const { minimal, steps } = this.#options;
    if (!minimal || this.#steps <= steps) return;
    throw new LimitError(
      { name: "diffSteps", max: steps },
      "The files differ too much to find a smallest set of changes: it takes more than diffSteps " +
        `(${steps}); leave -d out`,
    );
  }

  /** Doubles the room for steps. */
  #grow(): void {
    const room = this.#room * 2;
    for (const name of ["forward", "backward"] as const) {
      const grown = new Int32Array(2 * room + 1);
      grown.set(name === "forward" ? this.#forward : this.#backward, room - this.#room);
      if (name === "forward") this.#forward = grown;
      else this.#backward = grown;
    }
    this.#room = room;
  }

  #stepForward({ x0, x1, y0, y1 }: Box, reach: Reach, odd: boolean): void {
    const xs = this.#x;
    const ys = this.#y;
    const fd = this.#forward;
    const bd = this.#backward;
    const { bmin, bmax } = reach;
    let { fmin, fmax } = reach;
    /** Added to a diagonal, gives its index in the array. */
    const at = this.#room - (x0 - y0);
    const backwardAt = this.#room - (x1 - y1);
    if (fmin > x0 - y1) fd[at + --fmin - 1] = -1;
    else fmin++;
    if (fmax < x1 - y0) fd[at + ++fmax + 1] = -1;
    else fmax--;
    reach.fmin = fmin;
    reach.fmax = fmax;
    let high = fd[at + fmax + 1] as number;
    for (let d = fmax; d >= fmin; d -= 2) {
      const low = fd[at + d - 1] as number;
      const start = Math.max(low + 1, high);
      high = low;
      let x = start;
      let y = start - d;
      while (x < x1 && y < y1 && xs[x] === ys[y]) {
        x++;
        y++;
      }
      fd[at + d] = x;
      if (x - start > SNAKE) this.#meeting.bigSnake = true;
      if (odd && bmin <= d && d <= bmax && (bd[backwardAt + d] as number) <= x) {
        this.#meeting.x = x;
        this.#meeting.y = y;
        return;
      }
    }
  }

  #stepBackward({ x0, x1, y0, y1 }: Box, reach: Reach, odd: boolean): void {
    const xs = this.#x;
    const ys = this.#y;
    const fd = this.#forward;
    const bd = this.#backward;
    const { fmin, fmax } = reach;
    let { bmin, bmax } = reach;
    const at = this.#room - (x1 - y1);
    const forwardAt = this.#room - (x0 - y0);
    if (bmin > x0 - y1) bd[at + --bmin - 1] = 0x7fffffff;
    else bmin++;
    if (bmax < x1 - y0) bd[at + ++bmax + 1] = 0x7fffffff;
    else bmax--;
    reach.bmin = bmin;
    reach.bmax = bmax;
    let high = bd[at + bmax + 1] as number;
    for (let d = bmax; d >= bmin; d -= 2) {
      const low = bd[at + d - 1] as number;
      const start = Math.min(low, high - 1);
      high = low;
      let x = start;
      let y = start - d;
      while (x0 < x && y0 < y && xs[x - 1] === ys[y - 1]) {
        x--;
        y--;
      }
      bd[at + d] = x;
      if (start - x > SNAKE) this.#meeting.bigSnake = true;
      if (!odd && fmin <= d && d <= fmax && x <= (fd[forwardAt + d] as number)) {
        this.#meeting.x = x;
        this.#meeting.y = y;
        return;
      }
    }
  }

  /** Gives up: returns the end of the path that got furthest. */
  #furthest({ x0, x1, y0, y1 }: Box, { fmin, fmax, bmin, bmax }: Reach): Split {
    const forwardAt = this.#room - (x0 - y0);
    const backwardAt = this.#room - (x1 - y1);
    let forward = { x: 0, sum: -1 };
    for (let d = fmax; d >= fmin; d -= 2) {
      let x = Math.min(this.#forward[forwardAt + d] as number, x1);
      if (x - d > y1) x = y1 + d;
      if (x + x - d > forward.sum) forward = { x, sum: x + x - d };
    }
    let backward = { x: 0, sum: Infinity };
    for (let d = bmax; d >= bmin; d -= 2) {
      let x = Math.max(x0, this.#backward[backwardAt + d] as number);
      if (x - d < y0) x = y0 + d;
      if (x + x - d < backward.sum) backward = { x, sum: x + x - d };
    }
    if (x1 + y1 - backward.sum < forward.sum - (x0 + y0)) {
      return { x: forward.x, y: forward.sum - forward.x, minimal0: true, minimal1: false };
    }
    return { x: backward.x, y: backward.sum - backward.x, minimal0: false, minimal1: true };
  }
}
