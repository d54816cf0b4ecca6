import type { Regex } from "../../../regex/mod.ts";
import { type Chunk, LimitError, type RandomAccess } from "../../../streams/mod.ts";
import { HeldBytes, readBlock, type Storage } from "../../hold/mod.ts";

/**
 * Maximum input of `-r` in bytes. It is searched as a whole, as separators may be anywhere and of
 * any length.
 */
const MAX_REGEX_INPUT = 32 * 1024 * 1024;

/**
 * Reads a whole input into memory.
 *
 * @throws {LimitError} If it is too large.
 */
export async function readWhole(input: RandomAccess): Promise<Chunk> {
  if (input.size > MAX_REGEX_INPUT) {
    throw new LimitError(
      { name: "tac -r input size", max: MAX_REGEX_INPUT },
      `The input is longer than ${MAX_REGEX_INPUT} bytes, the limit of tac -r; ` +
        "use a fixed separator or split the input",
    );
  }
  const bytes = new Uint8Array(input.size);
  await readBlock(input, 0, bytes);
  return bytes;
}

/** Offsets of separators, which are read from the last to the first. */
class Separators {
  readonly #held: HeldBytes;
  readonly #block = new Int32Array(8192);
  #count = 0;

  constructor(storage: Storage) {
    this.#held = new HeldBytes(storage);
  }

  /** Adds one; if it returns true, `flush` must be called before the next. */
  add(start: number, end: number): boolean {
    this.#block[this.#count++] = start;
    this.#block[this.#count++] = end;
    return this.#count === this.#block.length;
  }

  async flush(): Promise<void> {
    await this.#held.add(new Uint8Array(this.#block.buffer, 0, 4 * this.#count));
    this.#count = 0;
  }

  async *backwards(): AsyncGenerator<readonly [number, number], void, void> {
    await this.flush();
    const input = await this.#held.finish();
    const block = this.#block;
    for (let end = input.size; end > 0;) {
      const size = Math.min(4 * block.length, end);
      end -= size;
      await readBlock(input, end, new Uint8Array(block.buffer, 0, size));
      for (let i = (size >> 2) - 2; i >= 0; i -= 2) {
        yield [block[i] as number, block[i + 1] as number];
      }
    }
    await input.close();
  }
}

/** The separator of records. */
export interface SeparatorPattern {
  readonly regex: Regex;
  /** True if it may depend on the text after a match. */
  readonly looks: boolean;
}

/** Bytes before a separator that are first searched for another one. */
const NEAR = 64;

/** Finds separators as GNU's tac does: for each, the text ends where the next one begins. */
class BackwardSearch {
  readonly #text: Chunk;
  readonly #regex: Regex;
  readonly #looks: boolean;
  /** Start of the next separator. */
  #limit: number;

  constructor(text: Chunk, { regex, looks }: SeparatorPattern) {
    this.#text = text;
    this.#regex = regex;
    this.#looks = looks;
    this.#limit = text.length;
  }

  /** End of the separator at `at`, which ends at `end` in the whole text; -1 if there is none. */
  take(at: number, end: number): number {
    const reaches = this.#looks ? end >= this.#limit : end > this.#limit;
    const [start, left] = reaches
      ? this.#regex.find(this.#text, 0, this.#limit, at, true) ?? [-1, -1]
      : [at, end];
    if (start !== at) return -1;
    this.#limit = at;
    return left as number;
  }

  /** The last separator after `after` that only matches because the text ends there. */
  between(after: number): readonly [number, number] | undefined {
    if (!this.#looks) return undefined;
    for (let near = NEAR;; near *= 8) {
      const from = Math.max(after + 1, this.#limit - near);
      let found: readonly [number, number] | undefined;
      for (let at = from; at < this.#limit;) {
        const match = this.#regex.find(this.#text, 0, this.#limit, at, at === from);
        const [start = -1, end = -1] = match ?? [];
        if (start < 0 || start >= this.#limit) break;
        found = [start, end];
        at = start + 1;
      }
      if (found !== undefined) {
        this.#limit = found[0];
        return found;
      }
      if (from === after + 1) return undefined;
    }
  }
}

/**
 * Outputs the records of a text from its end to its start. As in GNU's tac, it finds the last
 * position where a separator begins, so that `[0-9]+` matches one digit at a time.
 */
export async function* matchesBackwards(
  text: Chunk,
  pattern: SeparatorPattern,
  before: boolean,
  storage: Storage,
): AsyncGenerator<Chunk, void, void> {
  const { regex } = pattern;
  const separators = new Separators(storage);
  for (let from = 0; from <= text.length;) {
    const match = from === 0
      ? regex.find(text, 0, text.length)
      : regex.find(text, 0, text.length, from);
    if (match === null) break;
    const [at = 0, end = 0] = match;
    // An empty separator also splits, except at the end.
    if (at < text.length && separators.add(at, end)) await separators.flush();
    from = at + 1;
  }
  const search = new BackwardSearch(text, pattern);
  let recordEnd = text.length;
  let first = true;
  const cutAt = function* (cut: number): Generator<Chunk, void, void> {
    if (before || !first || cut !== recordEnd) {
      if (cut < recordEnd) yield text.subarray(cut, recordEnd);
      recordEnd = cut;
    }
    first = false;
  };
  const between = function* (after: number): Generator<Chunk, void, void> {
    for (let found; (found = search.between(after)) !== undefined;) {
      yield* cutAt(found[before ? 0 : 1]);
    }
  };
  for await (const [at, found] of separators.backwards()) {
    yield* between(at);
    const end = search.take(at, found);
    if (end >= 0) yield* cutAt(before ? at : end);
  }
  yield* between(-1);
  if (recordEnd > 0) yield text.subarray(0, recordEnd);
}
