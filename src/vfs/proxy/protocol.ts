/**
 * The words of the FS proxy protocol: operations, error codes, extensions, limits.
 */

/** Bytes in both directions, such as the socket on a child's descriptor 3. */
export interface Duplex {
  /** What the other end writes. */
  readonly readable: ReadableStream<Uint8Array>;
  /** What the other end reads. */
  readonly writable: WritableStream<Uint8Array>;
}

/** The protocol's error codes. */
export const ERROR_CODES: readonly ErrorCode[] = [
  "E_ARG",
  "E_NOENT",
  "E_PERM",
  "E_IO",
  "E_CLOSED",
  "E_UNSUPPORTED",
  "E_RANGE",
];

/** What went wrong, for programs. */
export type ErrorCode =
  | "E_ARG"
  | "E_NOENT"
  | "E_PERM"
  | "E_IO"
  | "E_CLOSED"
  | "E_UNSUPPORTED"
  | "E_RANGE";

/** Operations and abilities that a client has only after it asked for them with `hello`. */
export const EXTENSIONS = [
  "seek",
  "stat",
  "lstat",
  "list",
  "mkdir",
  "remove",
  "rename",
  "readlink",
  "realpath",
  "truncate",
  "replace",
  "pipe",
] as const;

/** An extension's name. */
export type Extension = typeof EXTENSIONS[number];

/** Whether a word names an extension. */
export function isExtension(word: unknown): word is Extension {
  return EXTENSIONS.some((name) => name === word);
}

/** Most bytes that one `read` gives, unless `hello` asked for more. */
export const CHUNK = 4096;

/** Most bytes of a `read` that `hello` can ask for. */
export const MOST_CHUNK = 64 * 1024;

/** The first number of a handle: those below are standard input, output and error. */
export const FIRST_HANDLE = 3;

/** The id of an answer to something that has none. */
export const NO_ID = "?";

/** The most bytes of a frame's document, for reads of up to `chunk` bytes. */
export function frameLimit(chunk: number): number {
  return Math.max(64 * 1024, Math.ceil(chunk / 3) * 4 + 4096);
}

/** A parsed object of JSON. */
export type Params = Readonly<Record<string, unknown>>;

/** Whether a value is an object with fields. */
export function isParams(value: unknown): value is Params {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
