import { Description, OpenFd } from "./_open_fd.ts";
import { settleAll } from "./_settle_all.ts";
import type { Fd, FdInit } from "./fd.ts";

/** A number was used that is not an open descriptor (POSIX EBADF). */
export class BadFdError extends RangeError {
  /** The number. */
  readonly fd: number;

  /** Creates the error. */
  constructor(action: string, fd: number, open: readonly number[]) {
    const list = open.length === 0 ? "none" : open.join(", ");
    super(`Cannot ${action} fd ${fd}: not an open descriptor (open: ${list})`);
    this.name = "BadFdError";
    this.fd = fd;
  }
}

/**
 * The open file descriptors of a run, by number.
 *
 * A number is never reused, so it always means the same stream. Duplicates share their ends, which
 * are closed with the last duplicate. Disposing of the table closes everything that is open, even
 * if some of it fails to close.
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
export class FdTable implements AsyncDisposable {
  readonly #open = new Map<number, OpenFd>();
  readonly #used = new Set<number>();
  /** Ends that are open or still closing. */
  readonly #live = new Set<Description>();
  #disposed: Promise<void> | undefined;
  #aborted: Promise<void> | undefined;

  /**
   * Opens a descriptor. If that fails, the caller has to close the ends.
   *
   * @throws {RangeError} If the number was used before, or is not a whole number of at least 0.
   * @throws {TypeError} If the table was disposed of.
   */
  open({ name, source, sink, number }: FdInit): Fd {
    const asked = this.#checkFree(name, number);
    return this.#add(asked, name, new Description(`fd ${asked} (${name})`, source, sink));
  }

  /**
   * Returns the open descriptor with that number.
   *
   * @throws {BadFdError} If it is not open.
   */
  get(number: number): Fd {
    return this.#find("open", number);
  }

  /** True if that number is open. */
  has(number: number): boolean {
    return this.#open.has(number);
  }

  /** True if that number is open or was. */
  used(number: number): boolean {
    return this.#used.has(number);
  }

  /** All open descriptors, sorted by number. */
  list(): Fd[] {
    return [...this.#open.values()].sort((a, b) => a.number - b.number);
  }

  /** Returns the lowest number above `above` that was never used. */
  nextNumber(above = -1): number {
    let number = above + 1;
    while (this.#used.has(number)) number++;
    return number;
  }

  /**
   * Opens a descriptor that shares the ends of `number`.
   *
   * @throws {BadFdError} If `number` is not open.
   * @throws Like {@linkcode open}.
   */
  dup(number: number, { name, number: to }: { name?: string; number?: number } = {}): Fd {
    const fd = this.#find("duplicate", number);
    return this.#add(this.#checkFree(fd.name, to), name ?? fd.name, fd.description);
  }

  /**
   * Removes a descriptor from the table at once. The last of a set of duplicates closes the ends
   * and waits for that.
   *
   * @throws {BadFdError} If it is not open.
   * @throws The error of an end, or an AggregateError if both fail.
   */
  async close(number: number): Promise<void> {
    const { description } = this.#find("close", number);
    this.#open.delete(number);
    if (--description.references > 0) return;
    try {
      await description.close();
    } finally {
      this.#live.delete(description);
    }
  }

  /**
   * Closes all sources and aborts all sinks, so that no reader takes a partial output for a
   * complete one.
   *
   * Also ends a close or a disposal that hangs. Nothing can be opened afterwards. Idempotent.
   *
   * @throws The error of an end, or an AggregateError if there are several.
   */
  abort(reason?: unknown): Promise<void> {
    this.#open.clear();
    this.#aborted ??= this.#endAll((description) => description.abort(reason));
    // `abort` reports the errors; a later disposal does not.
    this.#disposed ??= this.#aborted.catch(() => {});
    return this.#aborted;
  }

  /**
   * Closes everything that is open, all at once, so that no end waits for another. Nothing can be
   * opened afterwards. Idempotent.
   *
   * @throws The error of an end, or an AggregateError if there are several.
   */
  [Symbol.asyncDispose](): Promise<void> {
    if (this.#disposed === undefined) {
      const open = new Set([...this.#open.values()].map((fd) => fd.description));
      this.#open.clear();
      // A descriptor that is closing already reports its errors from `close`.
      this.#disposed = this.#endAll((description) =>
        open.has(description) ? description.close() : description.close().catch(() => {})
      );
    }
    return this.#disposed;
  }

  async #endAll(end: (description: Description) => Promise<void>): Promise<void> {
    const live = [...this.#live];
    try {
      await settleAll(live.map((one) => ({ name: one.label, run: () => end(one) })));
    } finally {
      for (const description of live) this.#live.delete(description);
    }
  }

  /** Returns the number to open: the one asked for, or the lowest that was never used. */
  #checkFree(name: string, asked: number | undefined): number {
    if (this.#disposed !== undefined) {
      throw new TypeError(`Cannot open ${name}: the descriptor table is closed`);
    }
    const number = asked ?? this.nextNumber();
    if (!Number.isSafeInteger(number) || number < 0) {
      throw new RangeError(`Cannot open fd ${number}: give a whole number of at least 0`);
    }
    if (this.#used.has(number)) {
      throw new RangeError(
        `Cannot open fd ${number} again: numbers are used once (next free: ${this.nextNumber()})`,
      );
    }
    return number;
  }

  #add(number: number, name: string, description: Description): Fd {
    const fd = new OpenFd(number, name, description);
    this.#used.add(number);
    this.#open.set(number, fd);
    this.#live.add(description);
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
