import { type ByteSource, type Chunk, type RandomAccess, Source } from "./source.ts";

/** A limit under the name that its user knows. */
export interface Limit {
  /** Name of the variable or option that raises it. */
  readonly name: string;
  /** The largest number of bytes allowed. */
  readonly max: number;
}

/** An input or output exceeded a limit. The message names the limit and says to raise it. */
export class LimitError extends RangeError {
  /** The limit's name. */
  readonly limit: string;
  /** The largest number of bytes allowed. */
  readonly max: number;

  /** Creates the error. The default message is about an input. */
  constructor(limit: Limit, message: string = overLimit(limit)) {
    super(message);
    this.name = "LimitError";
    this.limit = limit.name;
    this.max = limit.max;
  }
}

function overLimit({ name, max }: Limit): string {
  return `Input is larger than ${name} (${max} bytes); raise it to go on`;
}

function checkLimit({ name, max }: Limit): void {
  if (Number.isNaN(max) || max < 0) {
    throw new RangeError(`Cannot limit ${name} to ${max} bytes: give a number of at least 0`);
  }
}

class LimitedSource extends Source {
  readonly at?: RandomAccess;
  readonly #source: ByteSource;
  readonly #limit: Limit;
  #left: number;
  #over = false;

  constructor(source: ByteSource, limit: Limit) {
    super();
    checkLimit(limit);
    this.#source = source;
    this.#limit = limit;
    this.#left = limit.max;
    const at = source.at;
    // A file over the limit has no random access: it is read in order and meets the limit.
    if (at !== undefined && at.size <= limit.max) this.at = limitAccess(at, limit);
  }

  protected override async pull(): Promise<Chunk | undefined> {
    if (this.#over) throw new LimitError(this.#limit);
    const { done, value } = await this.#source.next();
    if (done === true) return undefined;
    if (value.length <= this.#left) {
      this.#left -= value.length;
      return value;
    }
    this.#over = true;
    if (this.#left === 0) throw new LimitError(this.#limit);
    return value.subarray(0, this.#left);
  }

  protected override async release(): Promise<void> {
    await this.#source.return();
  }
}

function limitAccess(at: RandomAccess, limit: Limit): RandomAccess {
  return {
    size: at.size,
    async read(offset, into) {
      const count = await at.read(offset, into);
      if (offset + count > limit.max) throw new LimitError(limit);
      return count;
    },
  };
}

/**
 * Passes on exactly `limit.max` bytes, then fails if there are more.
 *
 * Random access stays available if the file's size is within the limit.
 *
 * @throws {LimitError} From `next`, after the last byte allowed: `Input is larger than inputBytes
 * (10485760 bytes); raise it to go on`, where `inputBytes` is the limit's name.
 *
 * @example
 * ```ts
 * import { drain, LimitError, limitSource, memorySource, MemorySink } from "@llmcmd/llmcmd/streams";
 *
 * const sink = new MemorySink();
 * const source = limitSource(memorySource("abcdef"), { name: "MAX_INPUT", max: 4 });
 * const error = await drain(source, sink).catch((error) => error);
 * if (!(error instanceof LimitError) || sink.text() !== "abcd") throw new Error(sink.text());
 * ```
 */
export function limitSource(source: ByteSource, limit: Limit): ByteSource {
  return new LimitedSource(source, limit);
}
