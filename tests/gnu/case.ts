import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";

/** Bytes. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** A file's content, or its content and its permission bits. */
export type CaseFile = Bytes | readonly [data: Bytes, mode: number];

/** One command line in a folder with files, which identifies a recorded answer. */
export interface GnuCase {
  readonly args: readonly string[];
  /** Standard input; empty if absent. */
  readonly stdin?: Bytes;
  /** True if standard input is a regular file (`<in`), false for a pipe (the default). */
  readonly seekable?: boolean;
  /** Files in the working folder by their paths; a path that ends with a slash is a folder. */
  readonly files?: Readonly<Record<string, CaseFile>>;
  /** Files that are compared afterwards; `all` for every file that exists then. */
  readonly compare?: readonly string[] | "all";
}

/** Output that is too large to be stored: the number of bytes and their SHA-256. */
export interface Digest {
  readonly length: number;
  readonly sha256: string;
}

/** A tool's reaction to a case. */
export interface GnuAnswer {
  readonly stdout: Bytes | Digest;
  readonly stderr: Bytes;
  readonly status: number;
  /** Those of the requested files that exist. */
  readonly files: Readonly<Record<string, Bytes>>;
  /** Those of these files that their owner may execute. */
  readonly executable: readonly string[];
}

/** The SHA-256 of some bytes, in hexadecimal. */
export function sha256(data: Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}

/** Quotes a word for a shell, if necessary. */
export function shellWord(word: string): string {
  return /^[\w./:=,@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** A case as a user would type it, without its input. */
export function commandLine(tool: string, test: GnuCase): string {
  return [tool, ...test.args].map(shellWord).join(" ");
}

/** True if output equals the recorded one: the same bytes, or bytes with the recorded digest. */
export function sameData(data: Bytes | undefined, recorded: Bytes | Digest | undefined): boolean {
  if (data === undefined || recorded === undefined) return data === recorded;
  if (data.length !== recorded.length) return false;
  return recorded instanceof Uint8Array
    ? Buffer.compare(data, recorded) === 0
    : sha256(data) === recorded.sha256;
}

/** Bytes as text with one character for each, or a digest, for messages. */
export function shownData(data: Bytes | Digest): string {
  return data instanceof Uint8Array
    ? Buffer.from(data).toString("latin1")
    : `(${data.length} bytes, SHA-256 ${data.sha256}: see what the tool prints)`;
}
