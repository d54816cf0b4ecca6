/**
 * The search for a shortest path between two files: Myers' algorithm in linear space, with GNU
 * diff's limits on its cost.
 *
 * @module
 */

/** How hard to look. */
export interface SearchOptions {
  /** Finds a smallest set of changes, however long it takes (`-d`). */
  readonly minimal: boolean;
  /** Takes big matches as good enough (`--speed-large-files`). */
  readonly speed: boolean;
}

/** A run of equal lines that counts as big. */
const SNAKE = 20;
/** The least cost at which a search that is not minimal gives up. */
const TOO_EXPENSIVE = 4096;

/** Flags of changed lines, with room for a zero on either side. */
export class Flags {
  readonly #flags: Uint8Array;

  /** Makes flags that are all unset. */
  constructor(size: number) {
    this.#flags = new Uint8Array(size + 2);
  }

  /** Whether a line is changed; false just outside the file. */
  at(index: number): boolean {
    return this.#flags[index + 1] === 1;
  }

  /** Flags a line or takes its flag away. */
  set(index: number, value: 0 | 1): void {
    this.#flags[index + 1] = value;
  }
}

/** Lines that take part in the search, and where they stand. */
export interface Kept {
  readonly lines: Int32Array;
  readonly indexes: Int32Array;
}

/** Where a search splits in two, and which halves must be minimal. */
interface Split {
  readonly x: number;
  readonly y: number;
  readonly minimal0: boolean;
  readonly minimal1: boolean;
}

/** The search between two files; flags what differs. */
export class Search {
  readonly #x: Int32Array;
  readonly #y: Int32Array;
  readonly #kept: readonly [Kept, Kept];
  readonly #changed: readonly [Flags, Flags];
  readonly #speed: boolean;
  readonly #tooExpensive: number;
  readonly #forward: Int32Array;
  readonly #backward: Int32Array;
  /** Added to a diagonal to index the arrays. */
  readonly #origin: number;

  /** Prepares a search. */
  constructor(
    kept0: Kept,
    kept1: Kept,
    changed: readonly [Flags, Flags],
    { speed }: SearchOptions,
  ) {
    this.#x = kept0.lines;
    this.#y = kept1.lines;
    this.#kept = [kept0, kept1];
    this.#changed = changed;
    this.#speed = speed;
    const diagonals = this.#x.length + this.#y.length + 3;
    this.#forward = new Int32Array(diagonals);
    this.#backward = new Int32Array(diagonals);
    this.#origin = this.#y.length + 1;
    let expensive = 1;
    for (let rest = diagonals; rest !== 0; rest >>= 2) expensive *= 2;
    this.#tooExpensive = Math.max(TOO_EXPENSIVE, expensive);
  }

  /** Flags the lines that differ between `x[x0..x1)` and `y[y0..y1)`. */
  compare(x0: number, x1: number, y0: number, y1: number, minimal: boolean): void {
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
      const split = this.#split(x0, x1, y0, y1, minimal);
      this.compare(x0, split.x, y0, split.y, split.minimal0);
      x0 = split.x;
      y0 = split.y;
      minimal = split.minimal1;
    }
  }

  /** Searches from both ends for the middle of a shortest path. */
  #split(x0: number, x1: number, y0: number, y1: number, minimal: boolean): Split {
    const xs = this.#x;
    const ys = this.#y;
    const fd = this.#forward;
    const bd = this.#backward;
    const at = this.#origin;
    const dmin = x0 - y1;
    const dmax = x1 - y0;
    const fmid = x0 - y0;
    const bmid = x1 - y1;
    let fmin = fmid;
    let fmax = fmid;
    let bmin = bmid;
    let bmax = bmid;
    const odd = ((fmid - bmid) & 1) !== 0;
    fd[at + fmid] = x0;
    bd[at + bmid] = x1;
    for (let cost = 1;; cost++) {
      let bigSnake = false;
      if (fmin > dmin) fd[at + --fmin - 1] = -1;
      else fmin++;
      if (fmax < dmax) fd[at + ++fmax + 1] = -1;
      else fmax--;
      for (let d = fmax; d >= fmin; d -= 2) {
        const low = fd[at + d - 1] as number;
        const high = fd[at + d + 1] as number;
        const start = low < high ? high : low + 1;
        let x = start;
        while (x < x1 && x - d < y1 && xs[x] === ys[x - d]) x++;
        if (x - start > SNAKE) bigSnake = true;
        fd[at + d] = x;
        if (odd && bmin <= d && d <= bmax && (bd[at + d] as number) <= x) {
          return { x, y: x - d, minimal0: true, minimal1: true };
        }
      }
      if (bmin > dmin) bd[at + --bmin - 1] = 0x7fffffff;
      else bmin++;
      if (bmax < dmax) bd[at + ++bmax + 1] = 0x7fffffff;
      else bmax--;
      for (let d = bmax; d >= bmin; d -= 2) {
        const low = bd[at + d - 1] as number;
        const high = bd[at + d + 1] as number;
        const start = low < high ? low : high - 1;
        let x = start;
        while (x0 < x && y0 < x - d && xs[x - 1] === ys[x - d - 1]) x--;
        if (start - x > SNAKE) bigSnake = true;
        bd[at + d] = x;
        if (!odd && fmin <= d && d <= fmax && x <= (fd[at + d] as number)) {
          return { x, y: x - d, minimal0: true, minimal1: true };
        }
      }
      if (minimal) continue;
      if (cost > 200 && bigSnake && this.#speed) {
        const good = this.#goodForward(x0, x1, y0, y1, fmin, fmax, cost) ??
          this.#goodBackward(x0, x1, y0, y1, bmin, bmax, cost);
        if (good !== undefined) return good;
      }
      if (cost >= this.#tooExpensive) {
        return this.#furthest(x0, x1, y0, y1, [fmin, fmax], [bmin, bmax]);
      }
    }
  }

  #goodForward(
    x0: number,
    x1: number,
    y0: number,
    y1: number,
    fmin: number,
    fmax: number,
    cost: number,
  ): Split | undefined {
    let best = 0;
    let split: Split | undefined;
    for (let d = fmax; d >= fmin; d -= 2) {
      const away = d - (x0 - y0);
      const x = this.#forward[this.#origin + d] as number;
      const y = x - d;
      const value = (x - x0) * 2 - away;
      if (value <= 12 * (cost + Math.abs(away)) || value <= best) continue;
      if (x0 + SNAKE > x || x >= x1 || y0 + SNAKE > y || y >= y1) continue;
      let k = 1;
      while (k < SNAKE && this.#x[x - k] === this.#y[y - k]) k++;
      if (k < SNAKE || this.#x[x - k] !== this.#y[y - k]) continue;
      best = value;
      split = { x, y, minimal0: true, minimal1: false };
    }
    return split;
  }

  #goodBackward(
    x0: number,
    x1: number,
    y0: number,
    y1: number,
    bmin: number,
    bmax: number,
    cost: number,
  ): Split | undefined {
    let best = 0;
    let split: Split | undefined;
    for (let d = bmax; d >= bmin; d -= 2) {
      const away = d - (x1 - y1);
      const x = this.#backward[this.#origin + d] as number;
      const y = x - d;
      const value = (x1 - x) * 2 + away;
      if (value <= 12 * (cost + Math.abs(away)) || value <= best) continue;
      if (x0 >= x || x > x1 - SNAKE || y0 >= y || y > y1 - SNAKE) continue;
      let k = 0;
      while (k < SNAKE && this.#x[x + k] === this.#y[y + k]) k++;
      if (k < SNAKE) continue;
      best = value;
      split = { x, y, minimal0: false, minimal1: true };
    }
    return split;
  }

  /** Gives up: takes the path that got furthest. */
  #furthest(
    x0: number,
    x1: number,
    y0: number,
    y1: number,
    [fmin, fmax]: readonly [number, number],
    [bmin, bmax]: readonly [number, number],
  ): Split {
    let forward = { x: 0, sum: -1 };
    for (let d = fmax; d >= fmin; d -= 2) {
      let x = Math.min(this.#forward[this.#origin + d] as number, x1);
      if (x - d > y1) x = y1 + d;
      if (x + x - d > forward.sum) forward = { x, sum: x + x - d };
    }
    let backward = { x: 0, sum: Infinity };
    for (let d = bmax; d >= bmin; d -= 2) {
      let x = Math.max(x0, this.#backward[this.#origin + d] as number);
      if (x - d < y0) x = y0 + d;
      if (x + x - d < backward.sum) backward = { x, sum: x + x - d };
    }
    if (x1 + y1 - backward.sum < forward.sum - (x0 + y0)) {
      return { x: forward.x, y: forward.sum - forward.x, minimal0: true, minimal1: false };
    }
    return { x: backward.x, y: backward.sum - backward.x, minimal0: false, minimal1: true };
  }
}
