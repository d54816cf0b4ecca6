import { VfsError } from "../errors.ts";
import type { ErrorCode } from "./protocol.ts";

/** A request that cannot be served, with a code of the protocol. */
export class ProxyError extends Error {
  /** The error's name. */
  override readonly name = "ProxyError";
  /** The protocol's code. */
  readonly code: ErrorCode;
  /** The POSIX code, if the error came from a file system. */
  readonly posix: string | undefined;

  /** Creates the error. */
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

/** Converts an error of a {@linkcode Vfs} to the protocol's; `E_IO` if no other code fits. */
export function toProxyError(error: unknown): ProxyError {
  if (error instanceof ProxyError) return error;
  if (error instanceof VfsError) {
    return new ProxyError(CODES[error.code] ?? "E_IO", error.message, error.code);
  }
  // Its message may describe the host, which the client must not see.
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

/** Converts the error of an answer to the one that a client's {@linkcode Vfs} throws. */
export function toVfsError(error: ProxyError, path: string, action: string): VfsError {
  const posix = error.posix ?? POSIX[error.code];
  const why = error.posix === undefined ? error.message : undefined;
  return new VfsError(posix, path, action, why, { cause: error });
}
