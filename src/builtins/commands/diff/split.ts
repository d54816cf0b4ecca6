/**
 * The points at which a search splits in two, and those that GNU's `--speed-large-files` accepts as
 * good enough.
 *
 * @module
 */

/** Length of a run of equal lines that counts as big. */
export const SNAKE = 20;
/** The point at which a search splits in two, and whether each half must be minimal. */
export interface Split {
  readonly x: number;
  readonly y: number;
  readonly minimal0: boolean;
  readonly minimal1: boolean;
}

/** The lines between which a split is searched. */
export interface Box {
  readonly x0: number;
  readonly x1: number;
  readonly y0: number;
  readonly y1: number;
}

/** The diagonals that the searches from both ends have reached. */
export interface Reach {
  fmin: number;
  fmax: number;
  bmin: number;
  bmax: number;
}

/** One of the two searches, from the start (`sign` 1) or from the end (-1) of a box. */
export interface HalfSearch {
  readonly sign: 1 | -1;
  /**
   * The furthest `x` on each diagonal; `room` is the index of the diagonal where the search began.
   */
  readonly furthest: Int32Array;
  readonly room: number;
}

/**
 * Returns the best point that a search reached far along for its `cost`, next to a big run of equal
 * lines; `undefined` if there is none.
 */
export function goodSplit(
  xs: Int32Array,
  ys: Int32Array,
  { sign, furthest, room }: HalfSearch,
  { x0, x1, y0, y1 }: Box,
  { fmin, fmax, bmin, bmax }: Reach,
  cost: number,
): Split | undefined {
  const ahead = sign > 0;
  const [x, y, endX, endY] = ahead ? [x0, y0, x1, y1] : [x1, y1, x0, y0];
  let best = 0;
  let split: Split | undefined;
  const least = ahead ? fmin : bmin;
  for (let d = ahead ? fmax : bmax; d >= least; d -= 2) {
    const away = d - (x - y);
    const atX = furthest[room + away] as number;
    const atY = atX - d;
    const value = sign * ((atX - x) * 2 - away);
    if (value <= 12 * (cost + Math.abs(away)) || value <= best) continue;
    if (sign * (atX - x) < SNAKE || sign * (endX - atX) <= 0) continue;
    if (sign * (atY - y) < SNAKE || sign * (endY - atY) <= 0) continue;
    // The run is on the side from which the search came.
    const from = ahead ? -SNAKE : 0;
    let k = from;
    while (k < from + SNAKE && xs[atX + k] === ys[atY + k]) k++;
    if (k < from + SNAKE) continue;
    best = value;
    split = { x: atX, y: atY, minimal0: ahead, minimal1: !ahead };
  }
  return split;
}
