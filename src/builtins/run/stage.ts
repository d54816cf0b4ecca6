import {
  type ByteSink,
  type ByteSource,
  type Chunk,
  type RandomAccess,
  Source,
  TurnGuard,
} from "../../streams/mod.ts";
import { type Builtin, type BuiltinIo, READER_LEFT, type TempStore } from "../builtin.ts";
import { errorText, isFatal } from "../core/mod.ts";
import { isBuiltinName, loadBuiltin, troubleStatus, unknownBuiltin } from "./registry.ts";

/** Ends a stage's inputs after its reader stopped reading. Not visible outside of this file. */
class ReaderLeft extends Error {
  override readonly name = "AbortError";
}

/**
 * One running builtin, as a source of its standard output.
 *
 * - Nothing runs before the first `next()`.
 * - A failure of the builtin is a line on standard error, a `status` and the end of the output.
 *   Only an abort and a `LimitError` reach the reader as errors; `status` then stays `undefined`.
 * - When it ends in any way, it first closes standard input and the files that it reads (which
 *   stops their producers), then the builtin, then everything else that it opened. If the stage was
 *   stopped, files being written are aborted, so that no incomplete file looks complete.
 * - If the reader stops early, `status` is {@linkcode READER_LEFT}, as a shell reports SIGPIPE.
 * - Every 16 reads or writes it yields to the event loop, at most once in 10 ms.
 *
 * @example
 * ```ts
 * import { Stage } from "@llmcmd/llmcmd/builtins";
 * import { memorySource } from "@llmcmd/llmcmd/streams";
 *
 * const io = { warn: console.error, signal: new AbortController().signal };
 * const upper = new Stage("tr", ["a-z", "A-Z"], { ...io, stdin: memorySource("b\na\n") });
 * const sorted = new Stage("sort", [], { ...io, stdin: upper });
 * let text = "";
 * for await (const chunk of sorted) text += new TextDecoder().decode(chunk);
 * if (text !== "A\nB\n" || sorted.status !== 0) throw new Error(text);
 * ```
 */
export class Stage extends Source {
  /**
   * The exit status, once everything is released. `undefined` before, and if an abort or a limit
   * ended the stage.
   */
  status: number | undefined;
  /**
   * Resolves to the status when everything is released. Rejects with an abort's reason or a
   * `LimitError`; an ignored rejection is not reported as unhandled.
   */
  readonly finished: Promise<number>;

  readonly #name: string;
  readonly #load: () => Promise<Builtin> | Builtin;
  readonly #args: readonly string[];
  readonly #outer: BuiltinIo;
  readonly #controller: AbortController = new AbortController();
  readonly #turns: TurnGuard = new TurnGuard();
  readonly #sources = new Set<ByteSource>();
  readonly #sinks = new Set<ByteSink>();
  readonly #temps: TempStore[] = [];
  #output: AsyncGenerator<Chunk, number, void> | undefined;
  #result: number | undefined;
  #failure: { readonly error: unknown } | undefined;
  #settle: { resolve(status: number): void; reject(error: unknown): void } | undefined;

  readonly #onAbort = (): void => {
    this.#controller.abort(this.#outer.signal.reason);
    void this.#closeSources();
  };

  /**
   * Creates a stage from a builtin or its name, which is loaded at the first `next()`. The stage
   * takes ownership of `io.stdin`.
   *
   * @throws {RangeError} If there is no such builtin.
   */
  constructor(command: string | Builtin, args: readonly string[], io: BuiltinIo) {
    super();
    if (typeof command === "string") {
      if (!isBuiltinName(command)) throw unknownBuiltin(command);
      this.#name = command;
      this.#load = () => loadBuiltin(command);
    } else {
      this.#name = command.name;
      this.#load = () => command;
    }
    this.#args = args;
    this.#outer = io;
    this.#sources.add(io.stdin);
    this.finished = new Promise((resolve, reject) => this.#settle = { resolve, reject });
    this.finished.catch(() => {});
  }

  /** Runs the builtin up to its next output. */
  protected override async pull(): Promise<Chunk | undefined> {
    const turn = this.#turns.tick();
    if (turn !== undefined) await turn;
    try {
      this.#output ??= await this.#start();
      // A builtin that reads nothing, such as yes, does not notice an abort itself.
      this.#controller.signal.throwIfAborted();
      const { done, value } = await this.#output.next();
      if (done !== true) return value;
      this.#result = value;
    } catch (error) {
      // The stage itself stopped the read, so this is not a failure, and the result is unused.
      if (this.#controller.signal.reason instanceof ReaderLeft) return undefined;
      if (isFatal(error, this.#controller.signal)) {
        this.#failure = { error };
        throw error;
      }
      this.#outer.warn(`${this.#name}: ${errorText(error)}`);
      this.#result = troubleStatus(this.#name);
    }
    return undefined;
  }

  async #start(): Promise<AsyncGenerator<Chunk, number, void>> {
    const { signal } = this.#outer;
    if (signal.aborted) {
      this.#controller.abort(signal.reason);
      throw signal.reason;
    }
    signal.addEventListener("abort", this.#onAbort);
    const builtin = await this.#load();
    this.#controller.signal.throwIfAborted();
    return builtin(this.#args, this.#innerIo());
  }

  #innerIo(): BuiltinIo {
    const { open, create, remove, mkdir, rmdir, mode, chmod, random, temp, limits } = this.#outer;
    const outer = this.#outer;
    const { signal } = this.#controller;
    return {
      stdin: new GuardedSource(outer.stdin, signal, this.#turns),
      warn: (message) => outer.warn(message),
      signal,
      ...(limits !== undefined && { limits }),
      ...(open !== undefined && {
        open: async (path) => {
          const source = await open.call(outer, path);
          this.#sources.add(source);
          if (signal.aborted) await this.#closeSources();
          return new GuardedSource(source, signal, this.#turns);
        },
      }),
      ...(create !== undefined && {
        create: async (path, append) => {
          const sink = await create.call(outer, path, append);
          this.#sinks.add(sink);
          return sink;
        },
      }),
      ...(remove !== undefined && { remove: (path) => remove.call(outer, path) }),
      ...(mkdir !== undefined && { mkdir: (path) => mkdir.call(outer, path) }),
      ...(rmdir !== undefined && { rmdir: (path) => rmdir.call(outer, path) }),
      ...(mode !== undefined && { mode: (path) => mode.call(outer, path) }),
      ...(chmod !== undefined && { chmod: (path, bits) => chmod.call(outer, path, bits) }),
      ...(random !== undefined && { random: (into) => random.call(outer, into) }),
      ...(temp !== undefined && {
        temp: async () => {
          const store = await temp.call(outer);
          this.#temps.push(store);
          return store;
        },
      }),
    };
  }

  async #closeSources(): Promise<void> {
    await Promise.allSettled([...this.#sources].map((source) => source.return()));
  }

  /** Closes everything that the builtin opened, and sets the status. */
  protected override async release(): Promise<void> {
    const left = this.#result === undefined;
    this.#outer.signal.removeEventListener("abort", this.#onAbort);
    if (left) this.#controller.abort(new ReaderLeft("The reader has left"));
    try {
      await this.#closeSources();
      await this.#output?.return(READER_LEFT).catch(() => {});
      const sinks = [...this.#sinks].map((sink) =>
        left && sink.abort ? sink.abort() : sink.close()
      );
      await Promise.allSettled(sinks);
      await Promise.allSettled(this.#temps.map((store) => store[Symbol.asyncDispose]()));
    } finally {
      if (this.#failure === undefined) {
        this.status = this.#result ?? READER_LEFT;
        this.#settle?.resolve(this.status);
      } else {
        this.#settle?.reject(this.#failure.error);
      }
    }
  }
}

/**
 * The source that a builtin reads. It fails once the stage is stopped, so that the builtin does not
 * mistake the stop for the end of the input.
 */
class GuardedSource implements ByteSource {
  readonly at?: RandomAccess;
  readonly #source: ByteSource;
  readonly #signal: AbortSignal;
  readonly #turns: TurnGuard;

  constructor(source: ByteSource, signal: AbortSignal, turns: TurnGuard) {
    this.#source = source;
    this.#signal = signal;
    this.#turns = turns;
    if (source.at !== undefined) this.at = source.at;
  }

  async next(): Promise<IteratorResult<Chunk, void>> {
    const turn = this.#turns.tick();
    if (turn !== undefined) await turn;
    if (this.#signal.aborted) throw this.#signal.reason;
    const result = await this.#source.next();
    if (this.#signal.aborted) throw this.#signal.reason;
    return result;
  }

  return(): Promise<IteratorResult<Chunk, void>> {
    return this.#source.return();
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<Chunk, void, void> {
    return this;
  }
}
