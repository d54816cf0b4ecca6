/** What POSIX calls an error, such as `ENOENT`. Hosts may have more than those named here. */
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

/** What the codes mean, in words. */
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
 * An operation on a file failed.
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
  /** What POSIX calls it. */
  readonly code: VfsErrorCode;
  /** The path as the caller gave it. */
  readonly path: string;

  /**
   * Makes the error. `action` is what failed, such as `read`; without `why`, the text for `code` is
   * used.
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
 * Converts an error of the host to a {@linkcode VfsError} if it has a POSIX `code`, which may say
 * `why`, or the `flag` of a missing permission and says `why`. Any other error (a signal's reason, a
 * bug) is returned as it is.
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

/** Whether the error says that there is nothing at the path. */
export function isMissing(error: unknown): boolean {
  return hasCode(error, "ENOENT");
}

/** Whether an error has a POSIX code. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

/** What a look at a path gives; `undefined` where it says that nothing is there. */
export async function ifThere<Result>(looked: Promise<Result>): Promise<Result | undefined> {
  try {
    return await looked;
  } catch (error) {
    if (isMissing(error) || hasCode(error, "ENOTDIR")) return undefined;
    throw error;
  }
}
