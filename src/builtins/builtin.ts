import type { ByteSink, ByteSource, Chunk, TempStore } from "../streams/mod.ts";
import type { BuiltinLimits } from "./limits.ts";

export type { TempStore };

/** The exit status of a builtin whose reader stopped reading early, as a shell reports SIGPIPE. */
export const READER_LEFT = 141;

/** The input, output and functions of a running builtin. */
export interface BuiltinIo {
  /** Standard input. */
  readonly stdin: ByteSource;
  /**
   * Writes one line to standard error. `message` has no final newline. The builtin adds its own
   * `name: ` prefix, as in `grep: Unmatched [ or [^`.
   */
  warn(message: string): void;
  /** Aborting it stops the builtin. */
  readonly signal: AbortSignal;
  /** Limits that differ from the defaults. */
  readonly limits?: Partial<BuiltinLimits>;
  /** Opens a file operand for reading. Absent if files are not available. */
  open?(path: string): Promise<ByteSource>;
  /**
   * Creates or empties a file (`tee`, `sed w`, `sort -o`). With `append` it keeps the contents and
   * writes at the end. An implementation must not ignore `append`: `sort -o` opens its output this
   * way before it reads, and the output may also be an input. Absent if files are not available.
   */
  create?(path: string, append?: boolean): Promise<ByteSink>;
  /** Removes a file (`patch`). Absent if files cannot be removed. */
  remove?(path: string): Promise<void>;
  /**
   * Creates a folder in an existing folder (`patch`, for new files). Rejects with code `EEXIST` if
   * the name exists. The implementation decides which folders are allowed. Absent if none are.
   */
  mkdir?(path: string): Promise<void>;
  /**
   * Removes an empty folder (`patch`); rejects if it is not empty. Absent if folders cannot be
   * removed.
   */
  rmdir?(path: string): Promise<void>;
  /**
   * Returns the permission bits of a file (`patch`, for renames and copies). Absent if files have
   * none.
   */
  mode?(path: string): Promise<number>;
  /** Sets the permission bits of a file (`patch`). Absent if files have none. */
  chmod?(path: string, mode: number): Promise<void>;
  /**
   * Fills a block with random bytes (`shuf`, `sort -R`), for repeatable runs such as tests. If
   * absent, `crypto.getRandomValues` is used.
   */
  random?(into: Chunk): void;
  /** Creates temporary storage. Absent if there is none. */
  temp?(): Promise<TempStore>;
}

/**
 * A text command: yields its standard output as lent chunks and returns its exit status.
 *
 * `args` does not include the command's name.
 *
 * @example A custom command among the others
 * ```ts
 * import { type Builtin, sort, transform } from "@llmcmd/llmcmd/builtins";
 * import assert from "node:assert/strict";
 *
 * const upper: Builtin = async function* (_args, io) {
 *   const decoder = new TextDecoder();
 *   for await (const chunk of io.stdin) {
 *     const text = decoder.decode(chunk, { stream: true });
 *     yield new TextEncoder().encode(text.toUpperCase());
 *   }
 *   return 0;
 * };
 * const output = new Response("b\na\n").body?.pipeThrough(transform(upper)).pipeThrough(sort());
 * assert.equal(await new Response(output).text(), "A\nB\n");
 * ```
 */
export type Builtin = (
  args: readonly string[],
  io: BuiltinIo,
) => AsyncGenerator<Chunk, number, void>;
