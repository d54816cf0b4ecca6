import { settleAll } from "./_settle_all.ts";
import { abortSink } from "./abort_sink.ts";
import { toReadable, toWritable } from "./doors.ts";
import type { Fd } from "./fd.ts";
import type { ByteSink, ByteSource, Chunk } from "./source.ts";

/** The ends that a descriptor and its duplicates share (POSIX: the open file description). */
export class Description {
  /** Number of descriptors that share the ends. */
  references = 0;
  readonly label: string;
  readonly source: ByteSource | undefined;
  readonly sink: ByteSink | undefined;
  #readable: ReadableStream<Chunk> | undefined;
  #writable: WritableStream<Uint8Array> | undefined;
  #closed: Promise<void> | undefined;
  #aborted: Promise<void> | undefined;

  constructor(label: string, source: ByteSource | undefined, sink: ByteSink | undefined) {
    this.label = label;
    this.source = source;
    this.sink = sink;
  }

  get readable(): ReadableStream<Chunk> {
    if (this.source === undefined) {
      throw new TypeError(`Cannot read from ${this.label}: it is open for writing only`);
    }
    return this.#readable ??= toReadable(this.source);
  }

  get writable(): WritableStream<Uint8Array> {
    if (this.sink === undefined) {
      throw new TypeError(`Cannot write to ${this.label}: it is open for reading only`);
    }
    return this.#writable ??= toWritable(this.sink);
  }

  /** Closes both ends at the same time, even if one of them fails. Idempotent. */
  close(): Promise<void> {
    return this.#closed ??= settleAll([
      { run: () => this.source?.return() },
      { run: () => this.sink?.close() },
    ]);
  }

  /** Closes the source and aborts the sink, even while a close is in progress. Idempotent. */
  abort(reason: unknown): Promise<void> {
    return this.#aborted ??= settleAll([
      { run: () => this.source?.return() },
      { run: () => this.sink === undefined ? undefined : abortSink(this.sink, reason) },
    ]);
  }
}

/** An open descriptor of a table. */
export class OpenFd implements Fd {
  readonly number: number;
  readonly name: string;
  readonly source?: ByteSource;
  readonly sink?: ByteSink;
  readonly description: Description;

  constructor(number: number, name: string, description: Description) {
    this.number = number;
    this.name = name;
    this.description = description;
    description.references++;
    if (description.source !== undefined) this.source = description.source;
    if (description.sink !== undefined) this.sink = description.sink;
  }

  get readable(): ReadableStream<Chunk> {
    return this.description.readable;
  }

  get writable(): WritableStream<Uint8Array> {
    return this.description.writable;
  }
}
