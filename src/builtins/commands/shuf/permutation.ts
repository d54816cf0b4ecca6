import { TurnGuard } from "../../../streams/mod.ts";
import type { RandomNumbers } from "../../core/mod.ts";

/** Number of choices between two pauses, less one. */
const PAUSE_MASK = 0xffff;
/** From this many numbers on, only those that were moved are stored, if few are wanted. */
const SPARSE = 128 * 1024;
/** Up to one in so many counts as few. */
const FEW = 32;

/** Lets the event loop turn in long computations, so that they can be stopped. */
export class Pauses {
  readonly #signal: AbortSignal;
  readonly #turns = new TurnGuard();

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  async pause(): Promise<void> {
    this.#signal.throwIfAborted();
    const turn = this.#turns.tick();
    if (turn !== undefined) await turn;
  }
}

/** True if {@linkcode permutation} needs memory only for the wanted numbers. */
export function isSparse(wanted: number, total: number): boolean {
  return total >= SPARSE && total / wanted >= FEW;
}

/**
 * Returns `wanted` of the numbers from 0 to below `total` in random order, each at most once. Takes
 * 4 bytes for each number or, if few are wanted, some 100 for each wanted one.
 */
export async function permutation(
  random: RandomNumbers,
  wanted: number,
  total: number,
  pauses: Pauses,
): Promise<Uint32Array | Float64Array> {
  if (isSparse(wanted, total)) return await sparse(random, wanted, total, pauses);
  const numbers = new Uint32Array(total);
  for (let i = 0; i < total; i++) numbers[i] = i;
  for (let i = 0; i < wanted; i++) {
    const chosen = random.choose(total - i);
    const other = numbers[i + chosen] as number;
    numbers[i + chosen] = numbers[i] as number;
    numbers[i] = other;
    if ((i & PAUSE_MASK) === PAUSE_MASK) await pauses.pause();
  }
  return numbers.subarray(0, wanted);
}

async function sparse(
  random: RandomNumbers,
  wanted: number,
  total: number,
  pauses: Pauses,
): Promise<Float64Array> {
  const numbers = new Float64Array(wanted);
  /** Numbers at positions other than their own. */
  const moved = new Map<number, number>();
  for (let i = 0; i < wanted; i++) {
    const chosen = random.choose(total - i);
    const place = i + chosen;
    numbers[i] = moved.get(place) ?? place;
    moved.set(place, moved.get(i) ?? i);
    moved.delete(i);
    if ((i & PAUSE_MASK) === PAUSE_MASK) await pauses.pause();
  }
  return numbers;
}
