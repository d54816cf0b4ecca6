import { VfsError } from "../errors.ts";
import type { ErrorCode } from "./protocol.ts";

/** A request cannot be served; the code is one of the protocol's. */
export class ProxyError extends Error {
  /** The error's name. */
  override readonly name = "ProxyError";
  /** The protocol's code. */
  readonly code: ErrorCode;
  /** What POSIX calls it, where a file system said so. */
  readonly posix: string | undefined;

  /** Makes the error. */
  constructor(code: ErrorCode, message: string, posix?: string) {
    super(message);
    this.code = code;
    this.posix = posix;
  }
}

const CODES: Readonly<Record<string, ErrorCode>> = {
  EACCES: "E_PERM",
  EPERM: "E_PERM",
  EROFS: "E_PERM",
  ENOENT: "E_NOENT",
  ENOTDIR: "E_NOENT",
  EISDIR: "E_ARG",
  EINVAL: "E_ARG",
  EDQUOT: "E_RANGE",
  EFBIG: "E_RANGE",
  EMFILE: "E_RANGE",
  ENOSYS: "E_UNSUPPORTED",
};

/** The protocol's error for what a {@linkcode Vfs} threw; `E_IO` for all that has no code of its own. */
export function toProxyError(error: unknown): ProxyError {
  if (error instanceof ProxyError) return error;
  if (error instanceof VfsError) {
    return new ProxyError(CODES[error.code] ?? "E_IO", error.message, error.code);
  }
  // What it says may be about the host, and is not for the client.
  return new ProxyError("E_IO", "The file system failed");
}

const POSIX: Readonly<Record<ErrorCode, string>> = {
  E_ARG: "EINVAL",
  E_NOENT: "ENOENT",
  E_PERM: "EACCES",
  E_IO: "EIO",
  E_CLOSED: "EBADF",
  E_UNSUPPORTED: "ENOSYS",
  E_RANGE: "EFBIG",
};

/** The error that a client's {@linkcode Vfs} throws for an answer. */
export function toVfsError(error: ProxyError, path: string, action: string): VfsError {
  const posix = error.posix ?? POSIX[error.code];
  const why = error.posix === undefined ? error.message : undefined;
  return new VfsError(posix, path, action, why, { cause: error });
}
