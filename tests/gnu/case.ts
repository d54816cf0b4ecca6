import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";

/** Bytes. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** A file's content, or its content and its permission bits. */
export type CaseFile = Bytes | readonly [data: Bytes, mode: number];

/** One command line in a folder with files: what a recorded answer is found by. */
export interface GnuCase {
  readonly args: readonly string[];
  /** Standard input; empty when absent. */
  readonly stdin?: Bytes;
  /** Whether standard input is a regular file (`<in`) or a pipe (the default). */
  readonly seekable?: boolean;
  /** Files in the working folder by their paths; a path that ends with a slash is a folder. */
  readonly files?: Readonly<Record<string, CaseFile>>;
  /** The files that are looked at afterwards; `all` for every one that is there then. */
  readonly compare?: readonly string[] | "all";
}

/** Output that is too large to be kept: how many bytes, and their SHA-256. */
export interface Digest {
  readonly length: number;
  readonly sha256: string;
}

/** What a tool did with a case. */
export interface GnuAnswer {
  readonly stdout: Bytes | Digest;
  readonly stderr: Bytes;
  readonly status: number;
  /** The files that were asked for, those that were there. */
  readonly files: Readonly<Record<string, Bytes>>;
  /** Which of these files their owner may execute. */
  readonly executable: readonly string[];
}

/** The SHA-256 of some bytes, in hexadecimal. */
export function sha256(data: Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}

/** A word as a shell reads it back. */
export function shellWord(word: string): string {
  return /^[\w./:=,@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** A case as a person would type it, without its input. */
export function commandLine(tool: string, test: GnuCase): string {
  return [tool, ...test.args].map(shellWord).join(" ");
}

/** Whether output is what was recorded: the same bytes, or bytes with the recorded digest. */
export function sameData(data: Bytes | undefined, recorded: Bytes | Digest | undefined): boolean {
  if (data === undefined || recorded === undefined) return data === recorded;
  if (data.length !== recorded.length) return false;
  return recorded instanceof Uint8Array
    ? Buffer.compare(data, recorded) === 0
    : sha256(data) === recorded.sha256;
}

/** Bytes as text of which each byte is one character, or a digest, for messages. */
export function shownData(data: Bytes | Digest): string {
  return data instanceof Uint8Array
    ? Buffer.from(data).toString("latin1")
    : `(${data.length} bytes, SHA-256 ${data.sha256}: see what the tool prints)`;
}
