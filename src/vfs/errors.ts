/** POSIX error codes such as `ENOENT`. Hosts may use others than those listed here. */
export type VfsErrorCode =
  | "EACCES"
  | "EBADF"
  | "EBUSY"
  | "EDQUOT"
  | "EEXIST"
  | "EFBIG"
  | "EINVAL"
  | "EIO"
  | "EISDIR"
  | "ELOOP"
  | "ENAMETOOLONG"
  | "ENOENT"
  | "ENOSPC"
  | "ENOSYS"
  | "ENOTDIR"
  | "ENOTEMPTY"
  | "EPERM"
  | "EROFS"
  | "EXDEV"
  | (string & Record<never, never>);

/** The codes in words. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EBADF: "the handle does not allow it",
  EBUSY: "it is in use",
  EDQUOT: "the disk quota is used up",
  EEXIST: "it exists already",
  EFBIG: "it is too big",
  EINVAL: "invalid argument",
  EIO: "input/output error",
  EISDIR: "it is a folder",
  ELOOP: "too many symbolic links",
  EMFILE: "too many open files",
  ENAMETOOLONG: "the name is too long",
  ENOENT: "no such file or folder",
  ENOSPC: "no space left on the disk",
  ENOSYS: "not supported here",
  ENOTDIR: "a part of the path is not a folder",
  ENOTEMPTY: "the folder is not empty",
  EPERM: "operation not permitted",
  EROFS: "the file system is read-only",
  ETXTBSY: "the file is being executed",
  ENXIO: "no such device or address",
  EXDEV: "it is on another file system",
};

/**
 * The error of a failed file operation.
 *
 * @example
 * ```ts
 * import { VfsError } from "@llmcmd/llmcmd/vfs";
 *
 * const error = new VfsError("ENOENT", "a.txt", "read");
 * if (error.message !== "Cannot read a.txt: no such file or folder") throw error;
 * ```
 */
export class VfsError extends Error {
  /** The error's name. */
  override readonly name = "VfsError";
  /** The POSIX code. */
  readonly code: VfsErrorCode;
  /** The path as the caller gave it. */
  readonly path: string;

  /**
   * Creates the error.
   *
   * @param action The failed operation, such as `read`.
   * @param why The reason; by default the text for `code`.
   */
  constructor(
    code: VfsErrorCode,
    path: string,
    action: string,
    why: string = REASONS[code] ?? code,
    options: ErrorOptions = {},
  ) {
    super(`Cannot ${action} ${path === "" ? '""' : path}: ${why}`, options);
    this.code = code;
    this.path = path;
  }
}

/**
 * Converts an error of the host to a {@linkcode VfsError}, if it has a POSIX `code` (a `why` is its
 * text), or a `why` with the `flag` of a missing permission. Returns other errors, such as a
 * signal's reason or a bug, unchanged.
 */
export function vfsError(error: unknown, path: string, action: string): unknown {
  if (!(error instanceof Error) || error instanceof VfsError) return error;
  if ("flag" in error && "why" in error && typeof error.why === "string") {
    return new VfsError("EACCES", path, action, error.why, { cause: error });
  }
  if ("code" in error && typeof error.code === "string" && /^E[A-Z0-9]+$/.test(error.code)) {
    const why = "why" in error && typeof error.why === "string" ? error.why : undefined;
    return new VfsError(error.code, path, action, why, { cause: error });
  }
  return error;
}

/** True if an error says that the path does not exist. */
export function isMissing(error: unknown): boolean {
  return hasCode(error, "ENOENT");
}

/** True if an error has that POSIX code. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

/** Awaits a lookup; resolves to `undefined` if it says that the path does not exist. */
export async function ifThere<Result>(looked: Promise<Result>): Promise<Result | undefined> {
  try {
    return await looked;
  } catch (error) {
    if (isMissing(error) || hasCode(error, "ENOTDIR")) return undefined;
    throw error;
  }
}
