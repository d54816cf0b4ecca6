import { BrokenPipeError, type Chunk, linkAbort, pipe, toReadable } from "../../streams/mod.ts";
import type { Builtin, BuiltinIo } from "../builtin.ts";
import { bindPorts } from "./ports.ts";
import type { BuiltinName } from "../commands/mod.ts";
import { Stage } from "./stage.ts";

/** How many lines {@linkcode BuiltinTransform.warnings} keeps. */
const MAX_WARNINGS = 100;

/** What a builtin that runs as a transform stream may use besides its streams. */
export interface TransformOptions extends Partial<Omit<BuiltinIo, "stdin">> {}

/** A running builtin as a pair of streams: standard input and standard output. */
export interface BuiltinTransform {
  /** Standard output. Nothing runs before it is read; cancelling it stops the builtin. */
  readonly readable: ReadableStream<Chunk>;
  /**
   * Standard input. A write settles when the builtin has read the chunk; the chunk must not be
   * changed until then. Errors with a `BrokenPipeError` as soon as the builtin has ended.
   */
  readonly writable: WritableStream<Uint8Array>;
  /**
   * The exit status, once `readable` has been read to the end or cancelled (141 when it was
   * cancelled early). Rejects only with an abort's reason or a `LimitError`; if nobody handles the
   * rejection, it is not reported as unhandled.
   */
  readonly status: Promise<number>;
  /** The lines written to standard error so far; the first 100 when there are more. */
  readonly warnings: readonly string[];
}

/**
 * Runs a builtin as a transform stream.
 *
 * Bytes move only as fast as `readable` is read. What goes wrong in the command is in `status` and
 * `warnings`, as with a process; aborting `writable` or `options.signal` is an error of `readable`.
 *
 * @param command A builtin, or the name of one.
 * @param args The arguments, without the command's name.
 * @param options Signal, standard error and files; by default there are no files.
 *
 * @throws {RangeError} If no builtin has that name.
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
  // Not just `string`, so that editors can complete the names.
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
        // A write that fails errors the stream without a call of `abort` below: without this the
        // builtin would wait for ever.
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
