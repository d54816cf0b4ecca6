import { toBase64 } from "./base64.ts";

/** Bytes of the length before each document. */
const HEADER = 4;

/** The length of a frame is above the limit. */
export class FrameTooLongError extends Error {
  /** The error's name. */
  override readonly name = "FrameTooLongError";

  /** Creates the error. */
  constructor(length: number, limit: number) {
    super(
      `The frame has ${length} bytes, more than ${limit} (its first 4 bytes are its length, ` +
        "big-endian)",
    );
  }
}

/** Splits a stream of bytes into the documents of its frames. */
export class FrameReader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  /** Unread bytes are in it from `#at` to `#end`. */
  #buffer: Uint8Array = new Uint8Array(0);
  /** The reused buffer in which chunks are joined. */
  #own: Uint8Array = new Uint8Array(0);
  #at = 0;
  #end = 0;
  #over = false;

  constructor(readable: ReadableStream<Uint8Array>) {
    this.#reader = readable.getReader();
  }

  /**
   * Returns the next document, valid until the next call; `undefined` at the end of the stream,
   * even in the middle of a frame.
   *
   * @throws {FrameTooLongError} If it has more than `limit` bytes. None of them is kept.
   */
  async next(limit: number): Promise<Uint8Array | undefined> {
    if (!await this.#has(HEADER)) return undefined;
    const [a = 0, b = 0, c = 0, d = 0] = this.#buffer.subarray(this.#at, this.#at + HEADER);
    const length = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
    if (length > limit) throw new FrameTooLongError(length, limit);
    if (!await this.#has(HEADER + length)) return undefined;
    return this.#take(HEADER + length).subarray(HEADER);
  }

  /** Returns the first byte of the stream without consuming it; `undefined` at the end. */
  async peek(): Promise<number | undefined> {
    return await this.#has(1) ? this.#buffer[this.#at] : undefined;
  }

  /**
   * Reads up to the next line feed, which is dropped; `undefined` at the end, or if the first
   * `limit` bytes have none.
   */
  async line(limit: number): Promise<Uint8Array | undefined> {
    for (let wanted = 1; wanted <= limit; wanted = this.#end - this.#at + 1) {
      const length = this.#buffer.subarray(this.#at, this.#end).indexOf(10);
      if (length >= 0) return this.#take(length + 1).subarray(0, length);
      if (!await this.#has(wanted)) return undefined;
    }
    return undefined;
  }

  /** Reads the next `length` bytes; `undefined` if the stream ends before. */
  async bytes(length: number): Promise<Uint8Array | undefined> {
    return await this.#has(length) ? this.#take(length) : undefined;
  }

  /** Stops reading; a pending call returns as at the end of the stream. */
  async cancel(): Promise<void> {
    this.#over = true;
    await this.#reader.cancel().catch(() => {});
  }

  #take(length: number): Uint8Array {
    const bytes = this.#buffer.subarray(this.#at, this.#at + length);
    this.#at += length;
    return bytes;
  }

  /** Waits until that many bytes are available. */
  async #has(length: number): Promise<boolean> {
    while (this.#end - this.#at < length) {
      if (this.#over) return false;
      const { done, value } = await this.#reader.read();
      if (done) {
        this.#over = true;
        return false;
      }
      this.#keep(value, length);
    }
    return true;
  }

  /** Appends a chunk, in a buffer with room for the bytes that are waited for. */
  #keep(chunk: Uint8Array, wanted: number): void {
    const size = this.#end - this.#at;
    if (size === 0) {
      // An only chunk is used without a copy.
      [this.#buffer, this.#at, this.#end] = [chunk, 0, chunk.length];
      return;
    }
    if (this.#own !== this.#buffer || this.#end + chunk.length > this.#buffer.length) {
      const room = Math.max(wanted, size + chunk.length);
      const target = this.#own.length >= room ? this.#own : new Uint8Array(room * 2);
      if (target === this.#buffer) target.copyWithin(0, this.#at, this.#end);
      else target.set(this.#buffer.subarray(this.#at, this.#end));
      [this.#own, this.#buffer, this.#at, this.#end] = [target, target, 0, size];
    }
    this.#buffer.set(chunk, this.#end);
    this.#end += chunk.length;
  }
}

/** The other end stopped reading. */
export class WriteTimeoutError extends Error {
  /** The error's name. */
  override readonly name = "WriteTimeoutError";
}

/** A frame to write: its JSON, perhaps with a part in base64 in between. */
export interface OutgoingFrame {
  readonly before: Uint8Array;
  readonly data: string;
  readonly after: Uint8Array;
}

type Outgoing = OutgoingFrame | Uint8Array;

/** Most bytes of a write that combines several frames. */
const BATCH = 512 * 1024;

/**
 * Writes frames in order. Frames that arrive during a write are combined in the next one: each
 * write has a fixed cost.
 */
export class FrameWriter {
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #patience: number;
  #waiting: { frame: Outgoing; done: () => void; fail: (error: unknown) => void }[] = [];
  #running = false;

  /** `patience` is the number of milliseconds that a write may take. */
  constructor(writable: WritableStream<Uint8Array>, patience: number) {
    this.#writer = writable.getWriter();
    this.#writer.closed.catch(() => {});
    this.#patience = patience;
  }

  /**
   * Writes one frame, or raw bytes; resolves when the system of the other end has accepted them.
   */
  send(frame: Outgoing): Promise<void> {
    return new Promise((done, fail) => {
      this.#waiting.push({ frame, done, fail });
      if (!this.#running) void this.#run();
    });
  }

  /** Closes the writable side. Never rejects. */
  async close(): Promise<void> {
    await this.#inTime(this.#writer.close()).catch(() => this.#abort());
  }

  /** Drops unwritten data without waiting: a stuck write may stay stuck. */
  #abort(): void {
    this.#writer.abort().catch(() => {});
  }

  async #run(): Promise<void> {
    this.#running = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, this.#count());
      try {
        await this.#inTime(this.#writer.write(bytesOf(batch.map(({ frame }) => frame))));
        for (const { done } of batch) done();
      } catch (error) {
        for (const { fail } of batch) fail(error);
        this.#abort();
      }
    }
    this.#running = false;
  }

  /** Number of waiting frames for the next write: at least one. */
  #count(): number {
    let size = 0;
    const end = this.#waiting.findIndex(({ frame }, index) => {
      size += sizeOf(frame);
      return index > 0 && size > BATCH;
    });
    return end < 0 ? this.#waiting.length : end;
  }

  async #inTime(written: Promise<void>): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        reject(new WriteTimeoutError(`The other end read nothing for ${this.#patience / 1000} s`));
      }, this.#patience);
    });
    written.catch(() => {});
    try {
      await Promise.race([written, late]);
    } finally {
      clearTimeout(timer);
    }
  }
}

const encoder = new TextEncoder();
const NOTHING = new Uint8Array(0);

/** Encodes a document as a frame. */
export function frameOf(document: unknown): OutgoingFrame {
  return { before: encoder.encode(JSON.stringify(document)), data: "", after: NOTHING };
}

/**
 * Encodes a frame whose JSON is `before`, the bytes in base64, and `after`. Unlike text in general,
 * base64 needs neither escapes nor a guess of its length in UTF-8, which doubles the rate.
 */
export function frameAround(before: string, bytes: Uint8Array, after: string): OutgoingFrame {
  return { before: encoder.encode(before), data: toBase64(bytes), after: encoder.encode(after) };
}

/** Joins frames in the form in which they are written. */
export function bytesOf(frames: readonly Outgoing[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(frames.reduce((size, frame) => size + sizeOf(frame), 0));
  let at = 0;
  for (const frame of frames) {
    if (frame instanceof Uint8Array) {
      bytes.set(frame, at);
      at += frame.length;
      continue;
    }
    const { before, data, after } = frame;
    setLength(bytes.subarray(at), sizeOf(frame) - HEADER);
    at += HEADER;
    bytes.set(before, at);
    at += before.length;
    encoder.encodeInto(data, bytes.subarray(at));
    at += data.length;
    bytes.set(after, at);
    at += after.length;
  }
  return bytes;
}

function sizeOf(frame: Outgoing): number {
  if (frame instanceof Uint8Array) return frame.length;
  const { before, data, after } = frame;
  return HEADER + before.length + data.length + after.length;
}

function setLength(frame: Uint8Array, length: number): void {
  frame[0] = length >>> 24;
  frame[1] = length >>> 16;
  frame[2] = length >>> 8;
  frame[3] = length;
}
