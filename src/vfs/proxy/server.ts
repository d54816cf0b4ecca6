import type { Chunk } from "../../streams/mod.ts";
import type { Vfs } from "../types.ts";
import { ProxyError, toProxyError } from "./errors.ts";
import {
  frameAround,
  frameOf,
  FrameReader,
  FrameTooLongError,
  FrameWriter,
  type OutgoingFrame,
} from "./frames.ts";
import { HandleTable, type OpenFile } from "./handles.ts";
import type { ProxyLlm } from "./llm.ts";
import { operate } from "./operations.ts";
import type { Answer } from "./connection.ts";
import { isLegacy, serveLegacy, type TextConnection } from "./legacy.ts";
import { parseRequest } from "./params.ts";
import {
  CHUNK,
  type Duplex,
  type ErrorCode,
  type Extension,
  EXTENSIONS,
  frameLimit,
  NO_ID,
  type Params,
} from "./protocol.ts";
import { upstreamLlm } from "./upstream_llm.ts";
import { type ProxyStdio, StdioHandles } from "./stdio.ts";

/** Limits of one connection. */
export interface ServeLimits {
  /** Requests in progress at a time; further ones are not read yet. Default 64. */
  readonly inFlight: number;
  /** Open handles; further ones are refused with `E_RANGE`. Default 256. */
  readonly handles: number;
  /** Milliseconds in which the client must read a response. Default 30,000. */
  readonly patience: number;
}

/** The default limits. */
export const defaultServeLimits: ServeLimits = { inFlight: 64, handles: 256, patience: 30_000 };

/** An operation of a client, for a journal. */
export interface ProxyEvent {
  /** The client's name. */
  readonly client: string;
  /** The operation. `close` is also recorded for handles left open at the end of the connection. */
  readonly op: string;
  /** The file or folder; for `rename` the old path. */
  readonly path?: string | undefined;
  /** For `rename`: the new path. */
  readonly to?: string | undefined;
  /** The mode in which it was opened. */
  readonly mode?: string | undefined;
  /** The handle that was created or used. */
  readonly h?: number | undefined;
  /** For `close`: bytes read through the handle. */
  readonly read?: number | undefined;
  /** For `close`: bytes written through the handle. */
  readonly written?: number | undefined;
  /** For `LLMCMD`: the input files, by path or handle. */
  readonly files?: readonly string[] | undefined;
  /** The error, if it was refused. */
  readonly code?: ErrorCode | undefined;
}

/** Options of {@linkcode serve}. */
export interface ServeOptions {
  /** Limits that differ from the default. */
  readonly limits?: Partial<ServeLimits> | undefined;
  /** The client's name for the journal; `child` by default. */
  readonly client?: string | undefined;
  /** Extensions that clients may request; all by default. */
  readonly extensions?: readonly Extension[] | undefined;
  /** Streams for handles 0, 1 and 2, as a MUX serves them. If absent, these are refused. */
  readonly stdio?: ProxyStdio | undefined;
  /**
   * Serves `QUOTA` and `LLMCMD`. `denied` refuses them with `E_PERM`: there is an LLM, but this
   * client may not use it. By default, if the files are a `ProxyClient`, they are passed on to its
   * server; otherwise they are refused with `E_UNSUPPORTED`.
   */
  readonly llm?: ProxyLlm | "denied" | undefined;
  /** True to shorten a `read` of more than a chunk instead of refusing it, for old clients. */
  readonly clamp?: boolean | undefined;
  /** Called for each handle that is opened or closed, each operation by path, and each refusal. */
  readonly record?: ((event: ProxyEvent) => void) | undefined;
  /** Ends the connection. */
  readonly signal?: AbortSignal | undefined;
}

/** Totals of a connection. */
export interface ServeSummary {
  /** Requests that were answered. */
  readonly requests: number;
  /** Requests that were answered with an error. */
  readonly errors: number;
  /** Handles that were opened. */
  readonly opened: number;
  /** Handles that were still open at the end of the connection. */
  readonly left: number;
  /** Bytes read by the client. */
  readonly read: number;
  /** Bytes written by the client. */
  readonly written: number;
  /** Reason for the end, if the client did not end the connection itself. */
  readonly problem?: string | undefined;
}

/**
 * Serves files to the client at the other end of a duplex until the connection ends, then closes
 * the handles left open. Never rejects.
 *
 * A client whose first byte is a letter from A to Z uses the legacy text protocol, and only that.
 *
 * Requests on one handle run in order, all others concurrently. The server stops reading from a
 * client that has too many requests in flight, or does not read its responses.
 *
 * @example
 * ```ts
 * import { connect, memoryVfs, serve } from "@llmcmd/llmcmd/vfs";
 *
 * const [up, down] = [new TransformStream<Uint8Array>(), new TransformStream<Uint8Array>()];
 * const vfs = memoryVfs({ files: { "a.txt": "hello" } });
 * const served = serve(vfs, { readable: up.readable, writable: down.writable });
 * const client = await connect({ readable: down.readable, writable: up.writable });
 * const file = await client.open("a.txt", "r");
 * const bytes = new Uint8Array(10);
 * if (await file.read(0, bytes) !== 5) throw new Error("it has five bytes");
 * await client.close();
 * if ((await served).left !== 1) throw new Error("the file was still open");
 * ```
 */
export function serve(vfs: Vfs, duplex: Duplex, options: ServeOptions = {}): Promise<ServeSummary> {
  return new Connection(vfs, duplex, options).run();
}

/** The connection of one client. */
export class Connection implements TextConnection {
  readonly vfs: Vfs;
  readonly handles: HandleTable;
  readonly stdio: StdioHandles;
  readonly offered: ReadonlySet<Extension>;
  readonly clamp: boolean;
  readonly llm: ProxyLlm | "denied" | undefined;
  tasks = 0;
  granted: ReadonlySet<Extension> = new Set();
  chunk = CHUNK;
  /** The client's name. */
  readonly client: string;
  /** Time of the connection, in milliseconds since the epoch. */
  readonly connectedAt = Date.now();
  readonly #reader: FrameReader;
  readonly #writer: FrameWriter;
  readonly #limits: ServeLimits;
  readonly #record: (event: ProxyEvent) => void;
  readonly #signal: AbortSignal | undefined;
  readonly #over = new AbortController();
  readonly #ids = new Set<string>();
  readonly #working = new Set<Promise<void>>();
  /** Number of `#working` requests that wait for the other end of a pipe. */
  #aside = 0;
  #spare: Chunk[] = [];
  #slotFree = () => {};
  #stopped = false;
  #saidHello = false;
  #problem: string | undefined;
  #requests = 0;
  #errors = 0;
  #opened = 0;
  #read = 0;
  #written = 0;

  constructor(vfs: Vfs, duplex: Duplex, options: ServeOptions) {
    this.vfs = vfs;
    this.#limits = { ...defaultServeLimits, ...options.limits };
    this.#reader = new FrameReader(duplex.readable);
    this.#writer = new FrameWriter(duplex.writable, this.#limits.patience);
    this.client = options.client ?? "child";
    this.offered = new Set(options.extensions ?? EXTENSIONS);
    this.stdio = new StdioHandles(options.stdio);
    this.clamp = options.clamp ?? false;
    this.llm = options.llm ?? upstreamLlm(vfs);
    const { record = () => {} } = options;
    this.#record = record;
    this.#signal = options.signal;
    this.handles = new HandleTable(this.#limits.handles, (file) => this.#wasClosed(file));
  }

  async aside<Result>(action: () => Promise<Result>): Promise<Result> {
    this.#aside++;
    this.#slotFree();
    try {
      return await action();
    } finally {
      this.#aside--;
    }
  }

  get over(): AbortSignal {
    return this.#over.signal;
  }

  /** Serves until the end. */
  async run(): Promise<ServeSummary> {
    const stop = () => this.#stop("it was ended");
    if (this.#signal?.aborted === true) stop();
    this.#signal?.addEventListener("abort", stop, { once: true });
    try {
      if (isLegacy(await this.#reader.peek())) await serveLegacy(this, this.#reader);
      else await this.#readFrames();
    } catch (error) {
      this.#problem ??= problemOf(error);
      if (error instanceof FrameTooLongError) {
        const refusal = { code: "E_RANGE", message: error.message };
        await this.#send(frameOf({ id: NO_ID, ok: false, error: refusal }));
      }
    }
    this.#giveUpWaiting();
    while (this.#working.size > 0) await Promise.all(this.#working);
    this.#signal?.removeEventListener("abort", stop);
    const left = await this.handles.closeAll();
    await this.#reader.cancel();
    await this.#writer.close();
    return {
      requests: this.#requests,
      errors: this.#errors,
      opened: this.#opened,
      left: left.length,
      read: this.#read,
      written: this.#written,
      problem: this.#problem,
    };
  }

  /** Runs one operation for a client of the text protocol. */
  async perform(op: string, params: Params | ProxyError): Promise<Answer | ProxyError> {
    this.#requests++;
    const given = params instanceof ProxyError ? {} : params;
    try {
      if (params instanceof ProxyError) throw params;
      const answer = await operate(this, op, params);
      this.#note(op, params, answer);
      return answer;
    } catch (error) {
      const failure = toProxyError(error);
      this.#refused(op, given, failure.code);
      return failure;
    }
  }

  /** Sends bytes to a client of the text protocol. */
  reply(bytes: Uint8Array): Promise<void> {
    return this.#send(bytes);
  }

  lend(size: number): Chunk {
    const spare = this.#spare.pop();
    return spare !== undefined && spare.length >= size
      ? spare
      : new Uint8Array(Math.max(size, this.chunk));
  }

  giveBack(array: Chunk): void {
    if (array.length === this.chunk && this.#spare.length < 16) this.#spare.push(array);
  }

  async #readFrames(): Promise<void> {
    for (;;) {
      const frame = await this.#reader.next(frameLimit(this.chunk));
      if (frame === undefined) return;
      while (this.#working.size - this.#aside >= this.#limits.inFlight && !this.#stopped) {
        await new Promise<void>((resolve) => this.#slotFree = resolve);
      }
      if (this.#stopped) return;
      const work = this.#answer(frame);
      this.#working.add(work);
      void work.then(() => {
        this.#working.delete(work);
        this.#slotFree();
      });
    }
  }

  /** Answers a request. Never rejects. */
  async #answer(document: Uint8Array): Promise<void> {
    this.#requests++;
    const request = parseRequest(document);
    if ("error" in request) return await this.#refuse(request.id, "?", {}, request.error);
    const { id, op, params } = request;
    if (this.#ids.has(id)) {
      const error = { code: "E_ARG", message: "the id is in use by a request in flight" } as const;
      return await this.#refuse(id, op, params, error);
    }
    this.#ids.add(id);
    try {
      const answer = await operate(this, op, params);
      this.#note(op, params, answer);
      await this.#send(this.#frame(id, answer), id);
    } catch (error) {
      this.#ids.delete(id);
      await this.#refuse(id, op, params, toProxyError(error));
    }
  }

  #frame(id: string, answer: Answer): OutgoingFrame {
    if (answer.bytes === undefined) {
      const { fields } = answer;
      return frameOf(fields === undefined ? { id, ok: true } : { id, ok: true, result: fields });
    }
    const bytes = answer.bytes.subarray(0, answer.length);
    const before = `{"id":${JSON.stringify(id)},"ok":true,"result":{"data":"`;
    const frame = frameAround(before, bytes, `","eof":${answer.length === 0}}}`);
    this.giveBack(answer.bytes);
    return frame;
  }

  async #refuse(
    id: string,
    op: string,
    params: Params,
    error: { code: ErrorCode; message: string; posix?: string | undefined },
  ): Promise<void> {
    const { code, message, posix } = error;
    this.#refused(op, params, code);
    const more = this.#saidHello && posix !== undefined ? { posix } : {};
    await this.#send(frameOf({ id, ok: false, error: { code, message, ...more } }));
  }

  #refused(op: string, params: Params, code: ErrorCode): void {
    this.#errors++;
    this.#record({ client: this.client, op: op.slice(0, 40), ...subjectOf(op, params), code });
  }

  /** Writes a frame, and frees its `id`. If the write fails, ends the connection. */
  async #send(frame: OutgoingFrame | Uint8Array, id?: string): Promise<void> {
    // A client may reuse the id as soon as it has the response.
    if (id !== undefined) this.#ids.delete(id);
    try {
      await this.#writer.send(frame);
    } catch (error) {
      this.#stop(problemOf(error));
    }
  }

  #stop(problem: string | undefined): void {
    this.#problem ??= problem;
    this.#stopped = true;
    this.#giveUpWaiting();
    this.#slotFree();
    void this.#reader.cancel();
  }

  /** Ends requests that would otherwise wait for ever. */
  #giveUpWaiting(): void {
    const over = new ProxyError("E_IO", "the connection has ended");
    this.stdio.end();
    void this.handles.failPipes(over);
    this.#over.abort(over);
  }

  /** Counts and records an operation. */
  #note(op: string, params: Params, answer: Answer): void {
    if (answer.bytes !== undefined) {
      this.#read += answer.length;
      return;
    }
    const { fields = {} } = answer;
    if (op === "write") {
      const written = fields["written"];
      if (typeof written === "number") this.#written += written;
      return;
    }
    if (op === "hello") this.#saidHello = true;
    if (op === "close" || op === "seek" || op === "truncate") return;
    const { handle } = fields;
    const given = typeof handle === "number" ? { h: handle } : {};
    if (op === "open") this.#opened++;
    this.#record({ client: this.client, op, ...subjectOf(op, params), ...given });
  }

  #wasClosed({ path, mode, handle, read, written }: OpenFile): void {
    if (mode === "list") return;
    this.#record({ client: this.client, op: "close", path, mode, h: handle, read, written });
  }
}

/** The subject of a request, as far as its fields are valid. */
function subjectOf(op: string, params: Params): Partial<ProxyEvent> {
  const text = (name: string) => typeof params[name] === "string" ? params[name] : undefined;
  const { h, files } = params;
  return {
    path: text("path") ?? text("from"),
    to: text("to"),
    mode: text("mode"),
    h: typeof h === "number" ? h : undefined,
    files: op === "LLMCMD" && Array.isArray(files) ? files.map(String) : undefined,
  };
}

/** Describes the error of a connection; `undefined` if the client just disconnected. */
function problemOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error ? error.code : undefined;
  // A `BrokenPipe` of the runtime may have no code.
  const gone = code === "ECONNRESET" || code === "EPIPE" || error.name === "BrokenPipe";
  return gone ? undefined : error.message;
}
