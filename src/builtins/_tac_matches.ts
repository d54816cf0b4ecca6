import type { Regex } from "../regex/mod.ts";
import { type Chunk, LimitError, type RandomAccess } from "../streams/mod.ts";
import { HeldBytes, readFully, type Storage } from "./_held_bytes.ts";

/** The most that `-r` searches at once, in bytes: a separator may be anywhere, and of any length. */
const MAX_REGEX_INPUT = 32 * 1024 * 1024;

/**
 * Reads a whole input into memory.
 *
 * @throws {LimitError} If it is too large for that.
 */
export async function readWhole(input: RandomAccess): Promise<Chunk> {
  if (input.size > MAX_REGEX_INPUT) {
    throw new LimitError(
      { name: "tac -r input size", max: MAX_REGEX_INPUT },
      `The input is longer than the ${MAX_REGEX_INPUT} bytes that tac -r takes; ` +
        "use a fixed separator or cut the input",
    );
  }
  const bytes = new Uint8Array(input.size);
  await readFully(input, 0, bytes);
  return bytes;
}

/** Where separators begin and end, which is gone through from the last to the first. */
class Separators {
  readonly #held: HeldBytes;
  readonly #block = new Int32Array(8192);
  #count = 0;

  constructor(storage: Storage) {
    this.#held = new HeldBytes(storage);
  }

  /** Adds one; true says that there must be a `flush` before the next. */
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
      await readFully(input, end, new Uint8Array(block.buffer, 0, size));
      for (let i = (size >> 2) - 2; i >= 0; i -= 2) {
        yield [block[i] as number, block[i + 1] as number];
      }
    }
    await input.close();
  }
}

/**
 * Puts out the records of a text from its end to its start. As GNU's tac does, it looks for the
 * last place where a separator begins, so that `[0-9]+` finds one digit at a time.
 */
export async function* matchesBackwards(
  text: Chunk,
  regex: Regex,
  before: boolean,
  storage: Storage,
): AsyncGenerator<Chunk, void, void> {
  const separators = new Separators(storage);
  for (let from = 0; from <= text.length;) {
    const match = from === 0
      ? regex.find(text, 0, text.length)
      : regex.find(text, 0, text.length, from);
    if (match === null) break;
    const [at = 0, end = 0] = match;
    // An empty separator cuts, too; there is nothing to cut at the end.
    if (at < text.length && separators.add(at, end)) await separators.flush();
    from = at + 1;
  }
  let recordEnd = text.length;
  /** Where the separator after it begins. */
  let limit = text.length;
  let first = true;
  for await (const [at, found] of separators.backwards()) {
    let end = found;
    if (end > limit) {
      // It reaches into the separator after it: only a shorter one is left.
      const [start = -1, shorter = -1] = regex.find(text, at, limit) ?? [];
      if (start !== at || shorter < at) continue;
      end = shorter;
    }
    limit = at;
    const cut = before ? at : end;
    if (before || !first || cut !== recordEnd) {
      if (cut < recordEnd) yield text.subarray(cut, recordEnd);
      recordEnd = cut;
    }
    first = false;
  }
  if (recordEnd > 0) yield text.subarray(0, recordEnd);
}
