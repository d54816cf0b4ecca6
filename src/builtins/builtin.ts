import type { ByteSink, ByteSource, Chunk, TempStore } from "../streams/mod.ts";
import type { BuiltinLimits } from "./limits.ts";

export type { TempStore };

/**
 * The exit status of a builtin whose reader left before it was done: what a shell reports for
 * SIGPIPE.
 */
export const READER_LEFT = 141;

/** What a running builtin may use. */
export interface BuiltinIo {
  /** Standard input. */
  readonly stdin: ByteSource;
  /**
   * Writes one line to standard error. `message` has no final newline. The builtin adds its own
   * `name: ` prefix, as in `grep: Unmatched [ or [^`.
   */
  warn(message: string): void;
  /** Stops the builtin when it fires. */
  readonly signal: AbortSignal;
  /** Limits other than the default ones. */
  readonly limits?: Partial<BuiltinLimits>;
  /** Opens a file operand for reading. Absent where there are no files. */
  open?(path: string): Promise<ByteSource>;
  /**
   * Creates or empties a file (`tee`, `sed w`, `sort -o`). With `append` the contents are kept and
   * writing starts at the end. An implementation must not ignore `append`: `sort -o` opens its
   * output this way before it reads, and the output may be an input too. Absent where there are no
   * files.
   */
  create?(path: string, append?: boolean): Promise<ByteSink>;
  /** Removes a file (`patch`). Absent where files cannot be removed. */
  remove?(path: string): Promise<void>;
  /**
   * Makes one folder in an existing folder (`patch`, for new files). Rejects with code `EEXIST` if
   * something has that name. The implementation decides which folders may be made. Absent where
   * none can be made.
   */
  mkdir?(path: string): Promise<void>;
  /**
   * Removes an empty folder (`patch`); rejects if it is not empty. Absent where folders cannot be
   * removed.
   */
  rmdir?(path: string): Promise<void>;
  /** The permission bits of a file (`patch`, for renames and copies). Absent where there are none. */
  mode?(path: string): Promise<number>;
  /** Sets the permission bits of a file (`patch`). Absent where there are none. */
  chmod?(path: string, mode: number): Promise<void>;
  /**
   * Fills a block with random bytes (`shuf`, `sort -R`). Absent where they come from
   * `crypto.getRandomValues`; given where a run is to be repeated, as in a test.
   */
  random?(into: Chunk): void;
  /** Temporary storage. Absent where there is none. */
  temp?(): Promise<TempStore>;
}

/**
 * A text command: yields its standard output as lent chunks and returns its exit status.
 *
 * `args` is without the command's name.
 *
 * @example A command of one's own among the others
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
