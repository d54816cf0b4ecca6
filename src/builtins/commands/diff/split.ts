/**
 * Where a search splits in two, and the splits that GNU's `--speed-large-files` takes as good enough.
 *
 * @module
 */

/** A run of equal lines that counts as big. */
export const SNAKE = 20;
/** Where a search splits in two, and which halves must be minimal. */
export interface Split {
  readonly x: number;
  readonly y: number;
  readonly minimal0: boolean;
  readonly minimal1: boolean;
}

/** The lines between which a split is looked for. */
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

/**
 * The best diagonal that the search from the start has followed far for its `cost`, through a run
 * of equal lines. `furthest` says how far it got on each, with `room` for the diagonal of the start.
 */
export function goodForward(
  xs: Int32Array,
  ys: Int32Array,
  furthest: Int32Array,
  room: number,
  { x0, x1, y0, y1 }: Box,
  { fmin, fmax }: Reach,
  cost: number,
): Split | undefined {
  const at = room - (x0 - y0);
  let best = 0;
  let split: Split | undefined;
  for (let d = fmax; d >= fmin; d -= 2) {
    const away = d - (x0 - y0);
    const x = furthest[at + d] as number;
    const y = x - d;
    const value = (x - x0) * 2 - away;
    if (value <= 12 * (cost + Math.abs(away)) || value <= best) continue;
    if (x0 + SNAKE > x || x >= x1 || y0 + SNAKE > y || y >= y1) continue;
    let k = 1;
    while (k < SNAKE && xs[x - k] === ys[y - k]) k++;
    if (k < SNAKE || xs[x - k] !== ys[y - k]) continue;
    best = value;
    split = { x, y, minimal0: true, minimal1: false };
  }
  return split;
}

/** The same for the search from the end. */
export function goodBackward(
  xs: Int32Array,
  ys: Int32Array,
  furthest: Int32Array,
  room: number,
  { x0, x1, y0, y1 }: Box,
  { bmin, bmax }: Reach,
  cost: number,
): Split | undefined {
  const at = room - (x1 - y1);
  let best = 0;
  let split: Split | undefined;
  for (let d = bmax; d >= bmin; d -= 2) {
    const away = d - (x1 - y1);
    const x = furthest[at + d] as number;
    const y = x - d;
    const value = (x1 - x) * 2 + away;
    if (value <= 12 * (cost + Math.abs(away)) || value <= best) continue;
    if (x0 >= x || x > x1 - SNAKE || y0 >= y || y > y1 - SNAKE) continue;
    let k = 0;
    while (k < SNAKE && xs[x + k] === ys[y + k]) k++;
    if (k < SNAKE) continue;
    best = value;
    split = { x, y, minimal0: false, minimal1: true };
  }
  return split;
}
