import { BrokenPipeError, type Chunk, linkAbort, pipe, toReadable } from "../../streams/mod.ts";
import type { Builtin, BuiltinIo } from "../builtin.ts";
import { bindPorts } from "./ports.ts";
import type { BuiltinName } from "../commands/mod.ts";
import { Stage } from "./stage.ts";

/** Maximum number of lines in {@linkcode BuiltinTransform.warnings}. */
const MAX_WARNINGS = 100;

/** Options of a builtin that runs as a transform stream. */
export interface TransformOptions extends Partial<Omit<BuiltinIo, "stdin">> {}

/** A running builtin as a pair of streams: standard input and standard output. */
export interface BuiltinTransform {
  /** Standard output. Nothing runs before it is read; cancelling it stops the builtin. */
  readonly readable: ReadableStream<Chunk>;
  /**
   * Standard input. A write settles when the builtin has read the chunk, which must not be changed
   * before. Errors with a `BrokenPipeError` as soon as the builtin has ended.
   */
  readonly writable: WritableStream<Uint8Array>;
  /**
   * The exit status, once `readable` was read to the end or cancelled (early: 141). Rejects only
   * with an abort's reason or a `LimitError`; an ignored rejection is not reported as unhandled.
   */
  readonly status: Promise<number>;
  /** The lines written to standard error so far, up to 100. */
  readonly warnings: readonly string[];
}

/**
 * Runs a builtin as a transform stream.
 *
 * Data moves only as fast as `readable` is read. Errors of the command are in `status` and
 * `warnings`, as with a process; aborting `writable` or `options.signal` makes `readable` fail.
 *
 * @param command A builtin or its name.
 * @param args The arguments, without the command's name.
 * @param options Signal, standard error and files; by default there are no files.
 *
 * @throws {RangeError} If there is no such builtin.
 *
 * @example
 * ```ts
 * import { transform } from "@llmcmd/llmcmd/builtins";
 * import assert from "node:assert/strict";
 *
 * const count = transform("wc", ["-l"]);
 * const output = new Response("a\nb\n").body?.pipeThrough(count);
 * assert.equal(await new Response(output).text(), "2\n");
 * assert.equal(await count.status, 0);
 * ```
 */
export function transform(
  // The union lets editors complete the names.
  command: BuiltinName | (string & Record<never, never>) | Builtin,
  args: readonly string[] = [],
  options: TransformOptions = {},
): BuiltinTransform {
  const { source, sink } = pipe();
  const warnings: string[] = [];
  const controller = new AbortController();
  const stage = new Stage(command, args, {
    ...bindPorts(options),
    ...(options.open !== undefined && { open: options.open.bind(options) }),
    ...(options.create !== undefined && { create: options.create.bind(options) }),
    stdin: source,
    signal: controller.signal,
    warn: (message) => {
      if (warnings.length < MAX_WARNINGS) warnings.push(message);
      options.warn?.(message);
    },
  });
  const unlink = linkAbort(options.signal, controller);

  let breakPipe = (): void => {};
  const writable = new WritableStream<Uint8Array>({
    start: (stream) => {
      breakPipe = () => stream.error(new BrokenPipeError());
    },
    write: async (chunk) => {
      try {
        await sink.write(asChunk(chunk));
      } catch (error) {
        // A failed write errors the stream without calling `abort` below, and the builtin would
        // wait forever.
        controller.abort(error);
        throw error;
      }
    },
    close: () => sink.close(),
    abort: async (reason) => {
      controller.abort(reason);
      await sink.abort(reason);
    },
  });
  const ended = (): void => {
    unlink();
    breakPipe();
  };
  stage.finished.then(ended, ended);
  return { readable: toReadable(stage), writable, status: stage.finished, warnings };
}

function asChunk(value: unknown): Chunk {
  if (value instanceof Uint8Array) return value as Chunk;
  const fix = typeof value === "string" ? ": pipe it through a TextEncoderStream" : "";
  throw new TypeError(`Expected Uint8Array chunks, got a ${typeof value}${fix}`);
}
