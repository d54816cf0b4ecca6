import { type ByteSource, type Chunk, Source } from "./source.ts";

/**
 * Seed of random tests: 1 by default, so that a test that passed passes again. `TEST_SEED` sets
 * another one; `TEST_SEED=random` picks a new one each time.
 */
export function testSeed(): number {
  const given = Deno.env.get("TEST_SEED") ?? "1";
  return given === "random" ? Math.floor(Math.random() * 2 ** 32) : Number(given);
}

/** A small seeded random generator (mulberry32) of integers from 0 to `below` - 1. */
export function seededRandom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

/**
 * Runs `test` with random numbers from {@linkcode testSeed}; the error of a failure names the seed.
 */
export async function withSeed(
  test: (random: (below: number) => number) => Promise<void>,
): Promise<void> {
  const seed = testSeed();
  try {
    await test(seededRandom(seed));
  } catch (cause) {
    throw new Error(`Failed with seed ${seed}`, { cause });
  }
}

/** Text as UTF-8. */
export function bytes(text: string): Chunk {
  return new TextEncoder().encode(text);
}

/** Bytes as text. */
export function text(chunk: Uint8Array): string {
  return new TextDecoder().decode(chunk);
}

/** `length` bytes, each different from its neighbours; the period is not a power of two. */
export function pattern(length: number): Chunk {
  return Uint8Array.from({ length }, (_, index) => index % 251);
}

/** Reads to the end. Copies the chunks. */
export async function readAll(source: ByteSource): Promise<Chunk> {
  const all: number[] = [];
  for await (const chunk of source) for (const byte of chunk) all.push(byte);
  return Uint8Array.from(all);
}

/** Returns the error that a promise rejects with; fails if it resolves. */
export async function errorOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error("Expected a rejection");
}

/** True if a promise has settled after one turn of the event loop. */
export async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  const note = (): void => void (settled = true);
  promise.then(note, note);
  await new Promise((resolve) => setTimeout(resolve, 0));
  return settled;
}

/** A source that plays a list of chunks and errors, and counts its releases. */
export class ScriptedSource extends Source {
  readonly #steps: (string | Error | "stuck")[];
  readonly #releaseError: Error | undefined;
  /** Number of chunks pulled. */
  pulls = 0;
  /** Number of releases. */
  releases = 0;

  /** `"stuck"` is a pull that never settles. */
  constructor(steps: (string | Error | "stuck")[], releaseError?: Error) {
    super();
    this.#steps = [...steps];
    this.#releaseError = releaseError;
  }

  protected override async pull(): Promise<Chunk | undefined> {
    this.pulls++;
    const step = this.#steps.shift();
    await undefined;
    if (step === "stuck") return await new Promise(() => {});
    if (step instanceof Error) throw step;
    return step === undefined ? undefined : bytes(step);
  }

  protected override async release(): Promise<void> {
    await undefined;
    this.releases++;
    if (this.#releaseError !== undefined) throw this.#releaseError;
  }
}
