import { type ByteSink, type Chunk, MemorySink, Source } from "../../streams/mod.ts";
import { ProxyError } from "./errors.ts";
import { type OpenFile, readOn, writeOn } from "./handles.ts";
import type { ProxyConnection } from "./connection.ts";

/** Bytes of one read for a task. */
const PIECE = 64 * 1024;

/** Most bytes of output in an answer. */
export const MOST_OUTPUT = 64 * 1024;

/** Reads a handle from its current position. Does not close the handle. */
export class HandleSource extends Source {
  readonly #connection: ProxyConnection;
  readonly #handle: number;

  constructor(connection: ProxyConnection, handle: number) {
    super();
    this.#connection = connection;
    this.#handle = handle;
    note(this, connection, handle);
  }

  protected override async pull(): Promise<Chunk | undefined> {
    const { handles, stdio } = this.#connection;
    const bytes = new Uint8Array(PIECE);
    const count = stdio.has(this.#handle)
      ? await stdio.read(this.#handle, bytes)
      : await handles.use(this.#handle, (file) => readOn(file, bytes));
    return count === 0 ? undefined : bytes.subarray(0, count);
  }
}

/** Writes to a handle at its current position. Does not close the handle. */
export function handleSink(connection: ProxyConnection, handle: number): ByteSink {
  const { handles, stdio } = connection;
  const sink: ByteSink = {
    async write(chunk) {
      if (stdio.has(handle)) return await stdio.write(handle, chunk);
      try {
        await handles.use(handle, (file) => writeOn(file, chunk));
      } catch (error) {
        if (!(error instanceof ProxyError) || error.code !== "E_CLOSED") throw error;
        // To a task, a closed handle is a pipe whose reader has left.
        throw Object.assign(new Error(error.message, { cause: error }), { code: "EPIPE" });
      }
    },
    close: () => Promise.resolve(),
  };
  note(sink, connection, handle);
  return sink;
}

/** The handles behind streams. */
const behind = new WeakMap<object, OpenFile>();

function note(stream: object, { handles, stdio }: ProxyConnection, handle: number): void {
  if (!stdio.has(handle)) behind.set(stream, handles.get(handle));
}

/** Returns the open handle that a stream reads or writes, if it is one of the connection's. */
export function openFileBehind(stream: object): OpenFile | undefined {
  return behind.get(stream);
}

/** Collects output for the answer, up to {@linkcode MOST_OUTPUT}. */
export class AnswerSink extends MemorySink {
  override write(chunk: Chunk): Promise<void> {
    if (this.length + chunk.length <= MOST_OUTPUT) return super.write(chunk);
    const message = `it is longer than ${MOST_OUTPUT} bytes: give a handle as stdout`;
    return Promise.reject(new ProxyError("E_RANGE", message));
  }
}
