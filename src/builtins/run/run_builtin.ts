import {
  type ByteSource,
  drain,
  fromReadable,
  fromWritable,
  memorySource,
} from "../../streams/mod.ts";
import { type BuiltinIo, READER_LEFT, type TempStore } from "../builtin.ts";
import type { BuiltinLimits } from "../limits.ts";
import { errorText } from "../core/mod.ts";
import { utf8 } from "../text/mod.ts";
import { bindPorts } from "./ports.ts";
import { sharedWriter } from "./shared_writer.ts";
import { isBuiltinName, troubleStatus, unknownBuiltin } from "./registry.ts";
import { Stage } from "./stage.ts";

/**
 * The result of {@linkcode FileOpener}: a readable stream for `"r"`, a writable one for `"w"` and
 * `"a"`.
 */
export type FileStream = ReadableStream<Uint8Array> | WritableStream<Uint8Array>;

/**
 * Opens a file for a builtin: `"r"` returns a readable stream, `"w"` (create or empty) and `"a"`
 * (append) return a writable one. An error is reported with the text of C's `strerror` if it has a
 * POSIX `code` (`ENOENT`) or the name of Deno's (`NotFound`) or the web's (`NotFoundError`) error
 * class.
 */
export type FileOpener = (path: string, mode: "r" | "w" | "a") => FileStream | Promise<FileStream>;

/** The streams, file functions and limits of {@linkcode runBuiltin}. */
export interface RunBuiltinIo {
  /** Standard input; empty if absent. Cancelled if the command ends before reading all of it. */
  readonly stdin?: ReadableStream<Uint8Array>;
  /** Standard output. Left open and unlocked. */
  readonly stdout: WritableStream<Uint8Array>;
  /** Standard error. Left open and unlocked; may be the same stream as `stdout`. */
  readonly stderr: WritableStream<Uint8Array>;
  /** Opens file operands. If absent, a file operand is an error of the command. */
  readonly open?: FileOpener;
  /**
   * Removes a file, for `patch`. If absent, a file to be removed is left empty, with an error
   * message.
   */
  readonly remove?: (path: string) => Promise<void>;
  /**
   * Creates a folder, for `patch`; see {@linkcode BuiltinIo.mkdir}. If absent, the folder of a new
   * file must exist.
   */
  readonly mkdir?: NonNullable<BuiltinIo["mkdir"]>;
  /** Removes an empty folder, for `patch`. If absent, emptied folders stay. */
  readonly rmdir?: NonNullable<BuiltinIo["rmdir"]>;
  /** Returns the permission bits of a file, for `patch`. */
  readonly mode?: NonNullable<BuiltinIo["mode"]>;
  /**
   * Sets the permission bits of a file, for `patch`. If absent, a patch that sets them is refused.
   */
  readonly chmod?: NonNullable<BuiltinIo["chmod"]>;
  /** Fills a block with random bytes, for `shuf` and `sort -R`; see {@linkcode BuiltinIo.random}. */
  readonly random?: NonNullable<BuiltinIo["random"]>;
  /** Creates temporary storage, for `sort` beyond its memory. */
  readonly temp?: () => Promise<TempStore>;
  /** Limits that differ from the defaults. */
  readonly limits?: Partial<BuiltinLimits>;
  /** Aborting it stops the command. */
  readonly signal?: AbortSignal;
}

/** The status of an aborted command, as a shell reports SIGINT. */
const ABORTED = 130;
/** The status of an unknown command (POSIX 2.8.2). */
const NOT_FOUND = 127;

/**
 * Runs a builtin as a shell runs a command, and resolves to its exit status. Never rejects.
 *
 * In addition to the command's own statuses: 127 if there is no such builtin, 130 after an abort,
 * 141 if the reader of standard output stopped reading.
 *
 * @param argv The command's name and its arguments.
 *
 * @example
 * ```ts
 * import { runBuiltin } from "@llmcmd/llmcmd/builtins";
 * import assert from "node:assert/strict";
 *
 * const stdout = new TransformStream<Uint8Array, Uint8Array>();
 * const stderr = new WritableStream<Uint8Array>();
 * const text = new Response(stdout.readable).text();
 * const stdin = ReadableStream.from([new TextEncoder().encode("b\na\n")]);
 * assert.equal(await runBuiltin(["sort", "-r"], { stdin, stdout: stdout.writable, stderr }), 0);
 * await stdout.writable.close();
 * assert.equal(await text, "b\na\n");
 * ```
 */
export async function runBuiltin(argv: readonly string[], io: RunBuiltinIo): Promise<number> {
  const [name = "", ...args] = argv;
  const stderr = sharedWriter(io.stderr);
  let warned = Promise.resolve();
  const warn = (message: string): void => {
    // A closed standard error is not a failure of the command.
    warned = warned.then(() => stderr.write(utf8(`${message}\n`))).catch(() => {});
  };
  let status: number;
  try {
    status = isBuiltinName(name)
      ? await run(name, args, io, warn)
      : await refuse(name, io.stdin, warn);
  } catch (error) {
    warn(`${name}: ${errorText(error)}`);
    status = troubleStatus(name);
  }
  await warned;
  return status;
}

async function refuse(
  name: string,
  stdin: ReadableStream<Uint8Array> | undefined,
  warn: BuiltinIo["warn"],
): Promise<number> {
  warn(unknownBuiltin(name).message);
  if (stdin?.locked === false) await stdin.cancel().catch(() => {});
  return NOT_FOUND;
}

async function run(
  name: string,
  args: readonly string[],
  io: RunBuiltinIo,
  warn: BuiltinIo["warn"],
): Promise<number> {
  const stdin: ByteSource = io.stdin === undefined ? memorySource("") : fromReadable(io.stdin);
  const signal = io.signal ?? new AbortController().signal;
  const stage = new Stage(name, args, {
    stdin,
    signal,
    warn,
    ...bindPorts(io),
    ...(io.open !== undefined && filePorts(io.open.bind(io))),
  });
  const stdout = sharedWriter(io.stdout);
  let writeFailed = false;
  try {
    await drain(stage, {
      write: async (chunk) => {
        try {
          await stdout.write(chunk);
        } catch (error) {
          writeFailed = true;
          throw error;
        }
      },
      close: () => stdout.close(),
      concurrent: true,
    }, signal);
    return await stage.finished;
  } catch (error) {
    if (signal.aborted) return ABORTED;
    const why = errorText(error);
    if (writeFailed && why === "Broken pipe") return READER_LEFT;
    warn(`${name}: ${writeFailed ? "write error: " : ""}${why}`);
    return troubleStatus(name);
  }
}

function filePorts(open: FileOpener): Pick<BuiltinIo, "open" | "create"> {
  return {
    open: async (path) => {
      const stream = await open(path, "r");
      if ("getReader" in stream) return fromReadable(stream);
      throw new TypeError(`Cannot read ${path}: it was opened as a writable stream`);
    },
    create: async (path, append = false) => {
      const stream = await open(path, append ? "a" : "w");
      if ("getWriter" in stream) return fromWritable(stream);
      throw new TypeError(`Cannot write to ${path}: it was opened as a readable stream`);
    },
  };
}
