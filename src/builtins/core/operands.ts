import { type ByteSource, type Chunk, LimitError, type RandomAccess } from "../../streams/mod.ts";
import type { BuiltinIo } from "../builtin.ts";

/**
 * The texts of C's `strerror`, by error code and by the name of Deno's or the web's error class.
 */
const TEXTS: Readonly<Record<string, string>> = {
  ENOENT: "No such file or directory",
  NotFound: "No such file or directory",
  NotFoundError: "No such file or directory",
  EACCES: "Permission denied",
  PermissionDenied: "Permission denied",
  NotAllowedError: "Permission denied",
  EPERM: "Operation not permitted",
  EISDIR: "Is a directory",
  IsADirectory: "Is a directory",
  ENOTDIR: "Not a directory",
  NotADirectory: "Not a directory",
  EEXIST: "File exists",
  AlreadyExists: "File exists",
  EINVAL: "Invalid argument",
  EIO: "Input/output error",
  EFBIG: "File too large",
  ELOOP: "Too many levels of symbolic links",
  FilesystemLoop: "Too many levels of symbolic links",
  EMFILE: "Too many open files",
  ENFILE: "Too many open files in system",
  ENAMETOOLONG: "File name too long",
  ENOSPC: "No space left on device",
  EROFS: "Read-only file system",
  ENXIO: "No such device or address",
  ETXTBSY: "Text file busy",
  EPIPE: "Broken pipe",
  BrokenPipe: "Broken pipe",
};

/**
 * The message text for a failed file operation, such as `No such file or directory`. If an error
 * wraps the system's error as its `cause`, that text is used.
 */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return systemText(error) ?? systemText(error.cause) ?? error.message;
}

function systemText(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  return TEXTS[code] ?? TEXTS[error.name];
}

/**
 * True for errors that a builtin must pass on: aborts and limits, which end the whole pipeline. The
 * builtin reports all other errors itself.
 */
export function isFatal(error: unknown, signal: AbortSignal): boolean {
  return signal.aborted || error instanceof LimitError ||
    (error instanceof Error && error.name === "AbortError");
}

/** Opens a file operand other than `-`. Throws if the caller provided no function to open files. */
export async function openFile(path: string, io: BuiltinIo): Promise<ByteSource> {
  if (io.open === undefined) throw new Error("Files cannot be opened here, only standard input");
  return await io.open(path);
}

/** Reports an operand that cannot be opened or read, with the reason. */
export type ReportOperand = (problem: "open" | "read", name: string, why: string) => void;

/**
 * One input of a builtin. A read error is reported and ends it; only aborts and limits are thrown.
 */
export class Operand implements ByteSource {
  /** The operand as given; `-` for standard input. */
  readonly name: string;
  /** Random access, for a regular file. */
  readonly at?: RandomAccess;
  readonly #source: ByteSource | undefined;
  readonly #isStdin: boolean;
  readonly #fail: (error: unknown) => void;
  #failure: unknown;
  #failed = false;

  /** Creates an input. Without a source, reading fails with `failure`. */
  constructor(
    name: string,
    source: ByteSource | undefined,
    isStdin: boolean,
    fail: (error: unknown) => void,
    failure?: unknown,
  ) {
    this.name = name;
    this.#source = source;
    this.#isStdin = isStdin;
    this.#fail = fail;
    this.#failure = failure;
    if (source?.at !== undefined) this.at = source.at;
  }

  /** True if this is standard input. */
  get isStdin(): boolean {
    return this.#isStdin;
  }

  /** True if reading has failed. */
  get failed(): boolean {
    return this.#failed;
  }

  /** Returns the next chunk; `done` also after an error. */
  async next(): Promise<IteratorResult<Chunk, void>> {
    if (this.#failed) return { done: true, value: undefined };
    try {
      if (this.#source === undefined) throw this.#failure;
      return await this.#source.next();
    } catch (error) {
      this.report(error);
      return { done: true, value: undefined };
    }
  }

  /** Ends this input because of an error outside of `next`, for example in `at.read`. */
  report(error: unknown): void {
    this.#fail(error);
    this.#failed = true;
  }

  /** Closes the file; leaves standard input open, as it may be read again. */
  async return(): Promise<IteratorResult<Chunk, void>> {
    if (!this.#isStdin) await this.#source?.return();
    return { done: true, value: undefined };
  }

  /** Iterates over this input. */
  [Symbol.asyncIterator](): AsyncIterableIterator<Chunk, void, void> {
    return this;
  }
}

/**
 * Opens the operands one after another and closes each before the next. `-` and an empty list mean
 * standard input. Reports operands that cannot be opened and continues.
 */
export async function* openOperands(
  names: readonly string[],
  io: BuiltinIo,
  report: ReportOperand,
): AsyncGenerator<Operand, void, void> {
  for (const name of names.length === 0 ? ["-"] : names) {
    const fail = (problem: "open" | "read") => (error: unknown): void => {
      if (isFatal(error, io.signal)) throw error;
      report(problem, name, errorText(error));
    };
    let operand: Operand;
    if (name === "-") {
      operand = new Operand(name, io.stdin, true, fail("read"));
    } else {
      try {
        operand = new Operand(name, await openFile(name, io), false, fail("read"));
      } catch (error) {
        if (errorText(error) !== TEXTS["EISDIR"]) {
          fail("open")(error);
          continue;
        }
        // Opening a folder succeeds; POSIX tools report the error at the first read.
        operand = new Operand(name, undefined, false, fail("read"), error);
      }
    }
    try {
      yield operand;
    } finally {
      await operand.return();
    }
  }
}
