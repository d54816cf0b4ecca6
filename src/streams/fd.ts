import { toReadable, toWritable } from "./doors.ts";
import { abortSink } from "./limit.ts";
import type { ByteSink, ByteSource, Chunk } from "./source.ts";

/** What {@linkcode FdTable.open} opens. */
export interface FdInit {
  /** What messages call it, such as `stdin` or a file's name. */
  readonly name: string;
  /** The end to read from; without it the descriptor is not readable. */
  readonly source?: ByteSource | undefined;
  /** The end to write to; without it the descriptor is not writable. */
  readonly sink?: ByteSink | undefined;
  /** The number; by default the lowest that was never used in this table. */
  readonly number?: number | undefined;
}

/** An open file descriptor: a number, and the ends that it shares with its duplicates. */
export interface Fd {
  /** The number, unique in its table for good. */
  readonly number: number;
  /** What messages call it. */
  readonly name: string;
  /** The end to read from, if there is one. Duplicates share it. */
  readonly source?: ByteSource;
  /** The end to write to, if there is one. Duplicates share it. */
  readonly sink?: ByteSink;
  /**
   * The source as a WHATWG stream, made when first asked for and shared by duplicates.
   * Cancelling it closes the source.
   *
   * @throws {TypeError} If the descriptor is not readable.
   */
  readonly readable: ReadableStream<Chunk>;
  /**
   * The sink as a WHATWG stream, made when first asked for and shared by duplicates. Closing it
   * closes the sink.
   *
   * @throws {TypeError} If the descriptor is not writable.
   */
  readonly writable: WritableStream<Uint8Array>;
}

/** A number that is not an open descriptor was used (POSIX EBADF). */
export class BadFdError extends RangeError {
  /** The number. */
  readonly fd: number;

  /** Makes the error. */
  constructor(action: string, fd: number, open: readonly number[]) {
    const list = open.length === 0 ? "none" : open.join(", ");
    super(`Cannot ${action} fd ${fd}: not an open descriptor (open: ${list})`);
    this.name = "BadFdError";
    this.fd = fd;
  }
}

/** The ends behind a descriptor and its duplicates (POSIX: the open file description). */
class Description {
  references = 0;
  #readable: ReadableStream<Chunk> | undefined;
  #writable: WritableStream<Uint8Array> | undefined;
  readonly source: ByteSource | undefined;
  readonly sink: ByteSink | undefined;

  constructor(source: ByteSource | undefined, sink: ByteSink | undefined) {
    this.source = source;
    this.sink = sink;
  }

  readable(label: string): ReadableStream<Chunk> {
    if (this.source === undefined) throw new TypeError(`Cannot read ${label}: it is for writing`);
    return this.#readable ??= toReadable(this.source);
  }

  writable(label: string): WritableStream<Uint8Array> {
    if (this.sink === undefined) throw new TypeError(`Cannot write ${label}: it is for reading`);
    return this.#writable ??= toWritable(this.sink);
  }

  /** Closes both ends, even if one fails; rejects with the first error. */
  async close(): Promise<void> {
    await settleAll([this.source?.return(), this.sink?.close()]);
  }

  async abort(reason: unknown): Promise<void> {
    await settleAll([
      this.source?.return(),
      this.sink === undefined ? undefined : abortSink(this.sink, reason),
    ]);
  }
}

async function settleAll(operations: (Promise<unknown> | undefined)[]): Promise<void> {
  const results = await Promise.allSettled(operations);
  for (const result of results) if (result.status === "rejected") throw result.reason;
}

class OpenFd implements Fd {
  readonly number: number;
  readonly name: string;
  readonly source?: ByteSource;
  readonly sink?: ByteSink;
  readonly description: Description;

  constructor(number: number, name: string, description: Description) {
    this.number = number;
    this.name = name;
    this.description = description;
    description.references++;
    if (description.source !== undefined) this.source = description.source;
    if (description.sink !== undefined) this.sink = description.sink;
  }

  get readable(): ReadableStream<Chunk> {
    return this.description.readable(this.#label);
  }

  get writable(): WritableStream<Uint8Array> {
    return this.description.writable(this.#label);
  }

  get #label(): string {
    return `fd ${this.number} (${this.name})`;
  }
}

/**
 * The open file descriptors of a run, by number.
 *
 * Numbers are never used twice, so that a number always means the same stream. A descriptor's
 * ends are shared with its duplicates and closed with the last of them. Disposing of the table
 * closes everything that is open, whatever fails on the way.
 *
 * @example
 * ```ts
 * import { drain, FdTable, memorySource, MemorySink } from "@llmcmd/llmcmd/streams";
 *
 * const out = new MemorySink();
 * const fds = new FdTable();
 * try {
 *   const { source } = fds.open({ name: "stdin", source: memorySource("hello\n") });
 *   const { sink } = fds.open({ name: "stdout", sink: out });
 *   if (source && sink) await drain(source, sink);
 * } finally {
 *   await fds[Symbol.asyncDispose]();
 * }
 * if (out.text() !== "hello\n" || !out.closed) throw new Error(out.text());
 * ```
 */
export class FdTable {
  readonly #open = new Map<number, OpenFd>();
  readonly #used = new Set<number>();
  #disposed: Promise<void> | undefined;

  /**
   * Opens a descriptor. If that fails, the ends stay the caller's to close.
   *
   * @throws {RangeError} If the number was used before, or is not a whole number of at least 0.
   * @throws {TypeError} If the table was disposed of.
   */
  open({ name, source, sink, number }: FdInit): Fd {
    return this.#add(name, new Description(source, sink), number);
  }

  /**
   * The open descriptor of that number.
   *
   * @throws {BadFdError} If it is not open.
   */
  get(number: number): Fd {
    return this.#find("open", number);
  }

  /** Whether that number is open. */
  has(number: number): boolean {
    return this.#open.has(number);
  }

  /** Whether that number is or was open. */
  used(number: number): boolean {
    return this.#used.has(number);
  }

  /** All open descriptors, by number. */
  list(): Fd[] {
    return [...this.#open.values()].sort((a, b) => a.number - b.number);
  }

  /** The lowest number above `above` that was never used. */
  nextNumber(above = -1): number {
    let number = above + 1;
    while (this.#used.has(number)) number++;
    return number;
  }

  /**
   * Makes a descriptor that shares the ends of `number`.
   *
   * @throws {BadFdError} If `number` is not open.
   * @throws Like {@linkcode open}.
   */
  dup(number: number, { name, number: to }: { name?: string; number?: number } = {}): Fd {
    const { description, name: oldName } = this.#find("duplicate", number);
    return this.#add(name ?? oldName, description, to);
  }

  /**
   * Closes a descriptor: it is gone from the table at once. The last of a set of duplicates
   * closes the ends, the source first, and waits for that.
   *
   * @throws {BadFdError} If it is not open.
   * @throws The first error of an end.
   */
  async close(number: number): Promise<void> {
    const { description } = this.#find("close", number);
    this.#open.delete(number);
    if (--description.references === 0) await description.close();
  }

  /**
   * Gives everything up: closes all sources and aborts all sinks, so that nobody takes what they
   * got for complete. Nothing can be opened afterwards.
   *
   * @throws Like the dispose method.
   */
  abort(reason?: unknown): Promise<void> {
    return this.#disposed ??= this.#closeAll((description) => description.abort(reason));
  }

  /**
   * Closes all that is open, at the same time, so that no end waits for another. Nothing can be
   * opened afterwards. Idempotent.
   *
   * @throws The error of an end, or an AggregateError if there are several.
   */
  [Symbol.asyncDispose](): Promise<void> {
    return this.#disposed ??= this.#closeAll((description) => description.close());
  }

  async #closeAll(end: (description: Description) => Promise<void>): Promise<void> {
    const descriptions = new Set(this.list().map((fd) => this.#find("close", fd.number)));
    this.#open.clear();
    const results = await Promise.allSettled(
      [...new Set([...descriptions].map((fd) => fd.description))].map(end),
    );
    const errors = results.flatMap((result) =>
      result.status === "rejected" ? [result.reason as unknown] : []
    );
    if (errors.length > 1) throw new AggregateError(errors, "Several descriptors did not close");
    if (errors.length === 1) throw errors[0];
  }

  #add(name: string, description: Description, asked: number | undefined): Fd {
    if (this.#disposed !== undefined) {
      throw new TypeError(`Cannot open ${name}: the descriptor table is closed`);
    }
    const number = asked ?? this.nextNumber();
    if (!Number.isSafeInteger(number) || number < 0) {
      throw new RangeError(`Cannot open fd ${number}: give a whole number of at least 0`);
    }
    if (this.#used.has(number)) {
      throw new RangeError(
        `Cannot open fd ${number} again: numbers are used once (free: ${this.nextNumber()})`,
      );
    }
    const fd = new OpenFd(number, name, description);
    this.#used.add(number);
    this.#open.set(number, fd);
    return fd;
  }

  #find(action: string, number: number): OpenFd {
    const fd = this.#open.get(number);
    if (fd === undefined) {
      throw new BadFdError(action, number, this.list().map((fd) => fd.number));
    }
    return fd;
  }
}
