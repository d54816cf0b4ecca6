import type { ByteSource, Chunk } from "../../streams/mod.ts";
import type { BuiltinIo } from "../builtin.ts";
import { quote } from "../text/mod.ts";
import { errorText, isFatal, openFile } from "./operands.ts";

/** Random bytes requested at once. */
const BLOCK = 4096;
/** Above this number of choices, intermediate values exceed the exact integers of JavaScript. */
const EXACT = 2 ** 44;

/** The file of random bytes cannot be opened or read, or is too short. */
export class RandomSourceError extends Error {
  override readonly name = "RandomSourceError";
  /** True if it could not be opened. The message is then the system's, without the file name. */
  readonly opening: boolean;

  /** Creates the error. */
  constructor(message: string, opening = false) {
    super(message);
    this.opening = opening;
  }
}

/** Random bytes from the caller's function, the platform or a file. */
class RandomBytes {
  readonly #io: BuiltinIo;
  readonly #path: string | undefined;
  #file: ByteSource | undefined;
  #block: Chunk = new Uint8Array(0);
  #at = 0;

  /** With a path, reads bytes from that file. */
  constructor(io: BuiltinIo, path: string | undefined) {
    this.#io = io;
    this.#path = path;
  }

  /** Opens the file, if there is one. */
  async open(): Promise<void> {
    if (this.#path === undefined) return;
    try {
      this.#file = this.#path === "-" ? this.#io.stdin : await openFile(this.#path, this.#io);
    } catch (error) {
      if (isFatal(error, this.#io.signal)) throw error;
      const why = errorText(error);
      // Opening a folder succeeds, only reading fails.
      if (why === "Is a directory") {
        throw new RandomSourceError(`${quote(this.#path)}: read error: ${why}`);
      }
      throw new RandomSourceError(why, true);
    }
  }

  /** True if `count` bytes are available without waiting. */
  has(count: number): boolean {
    if (this.#block.length - this.#at >= count) return true;
    if (this.#file !== undefined) return false;
    const left = this.#block.slice(this.#at);
    const block: Chunk = new Uint8Array(left.length + BLOCK);
    const fresh: Chunk = new Uint8Array(BLOCK);
    if (this.#io.random !== undefined) this.#io.random(fresh);
    else crypto.getRandomValues(fresh);
    block.set(left);
    block.set(fresh, left.length);
    this.#block = block;
    this.#at = 0;
    return true;
  }

  /** Takes a byte, which must be available. */
  take(): number {
    return this.#block[this.#at++] as number;
  }

  /** Reads more of the file. */
  async more(): Promise<void> {
    const left = this.#block.slice(this.#at);
    const path = this.#path ?? "";
    let read: IteratorResult<Chunk, void> | undefined;
    try {
      read = await this.#file?.next();
    } catch (error) {
      if (isFatal(error, this.#io.signal)) throw error;
      throw new RandomSourceError(`${quote(path)}: read error: ${errorText(error)}`);
    }
    if (read === undefined || read.done === true) {
      throw new RandomSourceError(`${quote(path)}: end of file`);
    }
    this.#block = new Uint8Array(left.length + read.value.length);
    this.#block.set(left);
    this.#block.set(read.value, left.length);
    this.#at = 0;
  }

  async close(): Promise<void> {
    if (this.#path !== "-") await this.#file?.return();
  }
}

/**
 * Unbiased random numbers made from random bytes as in gnulib's `randint`: the same bytes give the
 * same choices as GNU's `shuf --random-source`.
 *
 * ```ts ignore
 * let index = random.tryChoose(n);
 * if (index < 0) index = await random.choose(n);
 * ```
 */
export class RandomNumbers {
  readonly #bytes: RandomBytes;
  /** Unused randomness: a number from 0 to `#most`. */
  #number = 0;
  #most = 0;

  private constructor(bytes: RandomBytes) {
    this.#bytes = bytes;
  }

  /**
   * Uses bytes from a file, `io.random` or the platform.
   *
   * @throws {RandomSourceError} If the file cannot be opened.
   */
  static async from(io: BuiltinIo, path?: string): Promise<RandomNumbers> {
    const bytes = new RandomBytes(io, path);
    await bytes.open();
    return new RandomNumbers(bytes);
  }

  /**
   * An integer from 0 to `count - 1`, with `count` from 1 to 2^53. Returns -1 if the file of random
   * bytes must be read first: then use {@linkcode choose}.
   */
  tryChoose(count: number): number {
    const wanted = count - 1;
    if (wanted > EXACT) return this.#tryChooseLarge(BigInt(count));
    for (;;) {
      let number = this.#number;
      let most = this.#most;
      if (most < wanted) {
        let needed = 0;
        for (let reach = most; reach < wanted; needed++) reach = reach * 256 + 255;
        if (!this.#bytes.has(needed)) return -1;
        for (; needed > 0; needed--) {
          number = number * 256 + this.#bytes.take();
          most = most * 256 + 255;
        }
      }
      if (most === wanted) {
        this.#number = this.#most = 0;
        return number;
      }
      const excess = most - wanted;
      const unusable = excess % count;
      const reduced = number % count;
      if (number <= most - unusable) {
        this.#number = Math.floor(number / count);
        this.#most = Math.floor(excess / count);
        return reduced;
      }
      this.#number = reduced;
      this.#most = unusable - 1;
    }
  }

  /** The same algorithm with BigInt. */
  #tryChooseLarge(count: bigint): number {
    const wanted = count - 1n;
    for (;;) {
      let number = BigInt(this.#number);
      let most = BigInt(this.#most);
      let needed = 0;
      for (let reach = most; reach < wanted; needed++) reach = reach * 256n + 255n;
      if (!this.#bytes.has(needed)) return -1;
      for (; needed > 0; needed--) {
        number = number * 256n + BigInt(this.#bytes.take());
        most = most * 256n + 255n;
      }
      if (most === wanted) {
        this.#number = this.#most = 0;
        return Number(number);
      }
      const excess = most - wanted;
      const unusable = excess % count;
      const reduced = number % count;
      if (number <= most - unusable) {
        this.#number = Number(number / count);
        this.#most = Number(excess / count);
        return Number(reduced);
      }
      this.#number = Number(reduced);
      this.#most = Number(unusable - 1n);
    }
  }

  /**
   * An integer from 0 to `count - 1`.
   *
   * @throws {RandomSourceError} If the file of random bytes is used up.
   */
  async choose(count: number): Promise<number> {
    for (;;) {
      const number = this.tryChoose(count);
      if (number >= 0) return number;
      await this.#bytes.more();
    }
  }

  /** Closes the file of random bytes. */
  async close(): Promise<void> {
    await this.#bytes.close();
  }
}

/**
 * Returns `count` random bytes from the file `path`, `io.random` or the platform.
 *
 * @throws {RandomSourceError} If the file cannot be opened or is too short.
 */
export async function readRandomBytes(
  io: BuiltinIo,
  path: string | undefined,
  count: number,
): Promise<Chunk> {
  const bytes = new RandomBytes(io, path);
  await bytes.open();
  try {
    while (!bytes.has(count)) await bytes.more();
    return Uint8Array.from({ length: count }, () => bytes.take());
  } finally {
    await bytes.close();
  }
}
