import { shellWord } from "../base/mod.ts";
import { howToAllow } from "./how_to_allow.ts";

/**
 * A file could not be opened, read or written. The message names the file and the reason; the
 * system's own error is the `cause`.
 */
export class FileError extends Error {
  /** The error's name. */
  override readonly name = "FileError";
  /** The file as the caller gave it. */
  readonly path: string;

  /** Makes the error; `action` is what failed, such as `read data.csv`. */
  constructor(action: string, path: string, why: string, cause?: unknown) {
    super(`Cannot ${action}: ${why}`, cause === undefined ? undefined : { cause });
    this.path = path;
  }
}

/**
 * Deno's sandbox refuses an action. The message names the flag that allows it, and where to add it.
 */
export class PermissionError extends Error {
  /** The error's name. */
  override readonly name = "PermissionError";
  /** The flag of `deno run` that is missing, such as `--allow-read=data.csv`. */
  readonly flag: string;
  /** The reason in the message, without the action. */
  readonly why: string;

  /** Makes the error; `action` is what failed, such as `read data.csv`. */
  constructor(action: string, flag: string, cause?: unknown) {
    const why = `permission ${flag} is missing (${howToAllow()})`;
    super(`Cannot ${action}: ${why}`, cause === undefined ? undefined : { cause });
    this.flag = flag;
    this.why = why;
  }
}

/** Plain words for the system's error codes. */
const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: "the port is in use",
  EADDRNOTAVAIL: "it is not an address of this machine",
  EACCES: "permission denied",
  EBUSY: "the file is busy",
  EDQUOT: "the disk quota is used up",
  EEXIST: "the file exists already",
  EFBIG: "the file would be too big",
  EIO: "input/output error",
  EISDIR: "it is a folder",
  ELOOP: "too many symbolic links",
  EMFILE: "too many open files",
  ENAMETOOLONG: "the name is too long",
  ENFILE: "too many open files in the system",
  ENODEV: "no such device",
  ENOENT: "no such file or folder",
  ENOSPC: "no space left on the disk",
  ENOTDIR: "a part of the path is not a folder",
  ENXIO: "no such device or address",
  EPERM: "operation not permitted",
  EROFS: "the file system is read-only",
  ETXTBSY: "the file is being executed",
};

/**
 * The error to show for a failed operation on a file: a {@linkcode PermissionError} where Deno's
 * sandbox refused, a {@linkcode FileError} where the system did. Any other error (the reason of a
 * signal, an error of this program) is returned as it is.
 *
 * `action` is what was tried, such as `read data.csv`.
 */
export function fileError(action: string, path: string, cause: unknown): unknown {
  if (cause instanceof Deno.errors.NotCapable) return permissionError(action, cause);
  if (!isSystemError(cause)) return cause;
  const lost = cause instanceof Deno.errors.NotFound && path.includes(REPLACEMENT);
  const why = lost ? `${reasonOf(cause)} (${LOST_BYTES}; use standard input)` : reasonOf(cause);
  return new FileError(action, path, why, cause);
}

/** Replaces bytes that are not UTF-8 in arguments, so that the real name is lost. */
const REPLACEMENT = "\ufffd";
const LOST_BYTES = "names with bytes that are not UTF-8 cannot be passed on";

/**
 * Refuses to create a file whose name had bytes that are not UTF-8: it would get another name.
 *
 * @throws {FileError}
 */
export function requireWholeName(action: string, path: string): void {
  if (!path.includes(REPLACEMENT)) return;
  throw new FileError(action, path, `${LOST_BYTES}; use another name, or standard output`);
}

function isSystemError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return "code" in error && typeof error.code === "string" ||
    / \(os error \d+\)/.test(error.message) ||
    Object.values(Deno.errors).some((kind) => error instanceof kind);
}

/** The reason of the system's error, in plain words. */
export function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const code = "code" in cause ? cause.code : undefined;
  return (typeof code === "string" ? REASONS[code] : undefined) ??
    cause.message.replace(/ \(os error \d+\).*$/s, "");
}

/**
 * Makes a {@linkcode PermissionError} from Deno's `NotCapable`, whose message names the permission.
 */
export function permissionError(action: string, cause: Error): PermissionError {
  return new PermissionError(action, missingFlag(cause.message), cause);
}

/** The flag that Deno's message asks for, with the value that it names. */
export function missingFlag(message: string): string {
  const match = /Requires (\w+) access(?: to (?:"(.*)"|(\S+)))?, run again/s.exec(message);
  const kind = match?.[1] ?? "all";
  const value = match?.[2] ?? match?.[3];
  return kind === "all" || value === undefined || value.startsWith("<")
    ? `--allow-${kind}`
    : `--allow-${kind}=${quoteValue(value)}`;
}

/**
 * Writes a flag's value so that Deno and a shell read it as one value: commas doubled, quoted where
 * needed.
 */
function quoteValue(value: string): string {
  return shellWord(value.replaceAll(",", ",,"));
}

/** True for the error of a write after the reader has closed the output. */
export function isBrokenPipe(error: unknown): boolean {
  return error instanceof Deno.errors.BrokenPipe ||
    error instanceof Error && "code" in error && error.code === "EPIPE";
}
