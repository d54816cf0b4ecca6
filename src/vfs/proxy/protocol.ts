/** Constants and types of the FS proxy protocol: error codes, extensions, limits. */

/** A byte stream in each direction, such as the socket on a child's descriptor 3. */
export interface Duplex {
  /** Bytes from the other end. */
  readonly readable: ReadableStream<Uint8Array>;
  /** Bytes to the other end. */
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

/** The kind of an error, for programs. */
export type ErrorCode =
  | "E_ARG"
  | "E_NOENT"
  | "E_PERM"
  | "E_IO"
  | "E_CLOSED"
  | "E_UNSUPPORTED"
  | "E_RANGE";

/** Extensions: operations and options that a client must request with `hello`. */
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

/** True if a word is the name of an extension. */
export function isExtension(word: unknown): word is Extension {
  return EXTENSIONS.some((name) => name === word);
}

/** Most bytes of a `read`, unless `hello` requested more. */
export const CHUNK = 4096;

/** Largest chunk that `hello` can request. */
export const MOST_CHUNK = 64 * 1024;

/** The first handle for files; 0 to 2 are standard input, output and error. */
export const FIRST_HANDLE = 3;

/** The id of an answer to a request without a valid id. */
export const NO_ID = "?";

/** Most bytes of a frame's document, for reads of up to `chunk` bytes. */
export function frameLimit(chunk: number): number {
  return Math.max(64 * 1024, Math.ceil(chunk / 3) * 4 + 4096);
}

/** A parsed JSON object. */
export type Params = Readonly<Record<string, unknown>>;

/** True if a value is a JSON object. */
export function isParams(value: unknown): value is Params {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
