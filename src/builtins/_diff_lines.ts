/**
 * Which lines of two files differ: Myers' algorithm ("An O(ND) difference algorithm and its
 * variations", 1986) in linear space, with the limits and the tidying that GNU diff documents, so
 * that hunks agree with its own.
 *
 * Lines are numbers here: equal lines have equal numbers.
 *
 * @module
 */

/** One change: lines that were taken out of the first file and put into the second. */
export interface Change {
  /** Index of the first line in the first file, and how many are taken out. */
  readonly line0: number;
  readonly deleted: number;
  /** Index of the first line in the second file, and how many are put in. */
  readonly line1: number;
  readonly inserted: number;
  /** Whether the change may be left out of the output (`-B`, `-I`). */
  ignore: boolean;
}

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
class Flags {
  readonly #flags: Uint8Array;

  constructor(size: number) {
    this.#flags = new Uint8Array(size + 2);
  }

  at(index: number): boolean {
    return this.#flags[index + 1] === 1;
  }

  set(index: number, value: 0 | 1): void {
    this.#flags[index + 1] = value;
  }
}

/** The changes that make `b` of `a`, in order. `offset` is added to all line numbers. */
export function compareLines(
  a: Int32Array,
  b: Int32Array,
  classes: number,
  offset: number,
  options: SearchOptions,
): Change[] {
  const changed: [Flags, Flags] = [new Flags(a.length), new Flags(b.length)];
  const kept0 = keep(a, b, classes, changed[0], options.minimal);
  const kept1 = keep(b, a, classes, changed[1], options.minimal);
  new Search(kept0, kept1, changed, options).compare(
    0,
    kept0.lines.length,
    0,
    kept1.lines.length,
    options.minimal,
  );
  shiftBoundaries(a, changed[0], changed[1]);
  shiftBoundaries(b, changed[1], changed[0]);
  return script(a.length, b.length, changed, offset);
}

function script(
  length0: number,
  length1: number,
  [changed0, changed1]: readonly [Flags, Flags],
  offset: number,
): Change[] {
  const changes: Change[] = [];
  let i = 0;
  let j = 0;
  for (; i < length0 || j < length1; i++, j++) {
    const line0 = i;
    const line1 = j;
    while (changed0.at(i)) i++;
    while (changed1.at(j)) j++;
    if (i === line0 && j === line1) continue;
    changes.push({
      line0: line0 + offset,
      deleted: i - line0,
      line1: line1 + offset,
      inserted: j - line1,
      ignore: false,
    });
  }
  return changes;
}

/** Lines that take part in the search, and where they stand. */
interface Kept {
  readonly lines: Int32Array;
  readonly indexes: Int32Array;
}

/** Leaves out lines without a match in the other file, and those too frequent beside them. */
function keep(
  own: Int32Array,
  other: Int32Array,
  classes: number,
  changed: Flags,
  minimal: boolean,
): Kept {
  const counts = new Int32Array(classes);
  for (const line of other) counts[line] = (counts[line] as number) + 1;
  let many = 5;
  for (let rest = (own.length / 64) >> 2; rest > 0; rest >>= 2) many *= 2;
  const discards = Uint8Array.from(own, (line) => {
    const matches = counts[line] as number;
    return matches === 0 ? 1 : matches > many ? 2 : 0;
  });
  settleProvisional(discards);
  const lines = new Int32Array(own.length);
  const indexes = new Int32Array(own.length);
  let count = 0;
  for (let i = 0; i < own.length; i++) {
    if (minimal || discards[i] === 0) {
      lines[count] = own[i] as number;
      indexes[count++] = i;
    } else {
      changed.set(i, 1);
    }
  }
  return { lines: lines.subarray(0, count), indexes: indexes.subarray(0, count) };
}

/** Keeps provisional discards (2) only inside runs that are mostly certain ones (1). */
function settleProvisional(discards: Uint8Array): void {
  const size = discards.length;
  for (let i = 0; i < size; i++) {
    if (discards[i] === 2) discards[i] = 0;
    if (discards[i] === 0) continue;
    let end = i;
    let provisional = 0;
    while (end < size && discards[end] !== 0) {
      if (discards[end++] === 2) provisional++;
    }
    while (end > i && discards[end - 1] === 2) {
      discards[--end] = 0;
      provisional--;
    }
    const run = discards.subarray(i, end);
    if (provisional * 4 > run.length) {
      for (let j = 0; j < run.length; j++) if (run[j] === 2) run[j] = 0;
    } else {
      cancelSubruns(run);
      cancelFromStart(run, (j) => j);
      cancelFromStart(run, (j) => run.length - 1 - j);
    }
    i = end - 1;
  }
}

/** Cancels provisional discards that stand in long rows. */
function cancelSubruns(run: Uint8Array): void {
  let minimum = 1;
  for (let rest = run.length >> 4; rest > 0; rest >>= 2) minimum *= 2;
  minimum++;
  let row = 0;
  for (let j = 0; j < run.length; j++) {
    if (run[j] !== 2) row = 0;
    else if (++row === minimum) j -= row;
    else if (row > minimum) run[j] = 0;
  }
}

/** Cancels provisional discards near an end, up to three certain ones in a row. */
function cancelFromStart(run: Uint8Array, index: (j: number) => number): void {
  let row = 0;
  for (let j = 0; j < run.length; j++) {
    const at = index(j);
    if (j >= 8 && run[at] === 1) break;
    if (run[at] === 1) row++;
    else row = run[at] = 0;
    if (row === 3) break;
  }
}

/** Where a search splits in two, and which halves must be minimal. */
interface Split {
  readonly x: number;
  readonly y: number;
  readonly minimal0: boolean;
  readonly minimal1: boolean;
}

class Search {
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

/**
 * Slides runs of changed lines over equal ones: first back to join the run before, then as far on
 * as they go, then back again to meet a run of the other file.
 */
function shiftBoundaries(lines: Int32Array, changed: Flags, other: Flags): void {
  const end = lines.length;
  let i = 0;
  let j = 0;
  for (;;) {
    while (i < end && !changed.at(i)) {
      while (other.at(j++));
      i++;
    }
    if (i === end) return;
    let start = i;
    while (changed.at(++i));
    while (other.at(j)) j++;
    let corresponding: number;
    let length: number;
    do {
      length = i - start;
      while (start > 0 && lines[start - 1] === lines[i - 1]) {
        changed.set(--start, 1);
        changed.set(--i, 0);
        while (changed.at(start - 1)) start--;
        while (other.at(--j));
      }
      corresponding = other.at(j - 1) ? i : end;
      while (i !== end && lines[start] === lines[i]) {
        changed.set(start++, 0);
        changed.set(i++, 1);
        while (changed.at(i)) i++;
        while (other.at(++j)) corresponding = i;
      }
    } while (length !== i - start);
    while (corresponding < i) {
      changed.set(--start, 1);
      changed.set(--i, 0);
      while (other.at(--j));
    }
  }
}
