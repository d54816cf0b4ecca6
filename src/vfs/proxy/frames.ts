import { joinBytes } from "../../base/mod.ts";
import { toBase64 } from "./base64.ts";

/** Bytes of the length before each document. */
const HEADER = 4;

/** A frame says that it is longer than what is allowed. */
export class FrameTooLongError extends Error {
  /** The error's name. */
  override readonly name = "FrameTooLongError";

  /** Makes the error. */
  constructor(length: number, limit: number) {
    super(`The frame has ${length} bytes, more than ${limit}`);
  }
}

/** Cuts a stream of bytes into the documents of its frames. */
export class FrameReader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  #bytes: Uint8Array = new Uint8Array(0);
  #over = false;

  constructor(readable: ReadableStream<Uint8Array>) {
    this.#reader = readable.getReader();
  }

  /**
   * The next document, valid until the next call; `undefined` at the end of the stream, also where
   * that is in the middle of a frame.
   *
   * @throws {FrameTooLongError} It has more than `limit` bytes. None of them was kept.
   */
  async next(limit: number): Promise<Uint8Array | undefined> {
    if (!await this.#has(HEADER)) return undefined;
    const [a = 0, b = 0, c = 0, d = 0] = this.#bytes;
    const length = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
    if (length > limit) throw new FrameTooLongError(length, limit);
    if (!await this.#has(HEADER + length)) return undefined;
    const document = this.#bytes.subarray(HEADER, HEADER + length);
    this.#bytes = this.#bytes.subarray(HEADER + length);
    return document;
  }

  /** The first byte of the stream, which stays there; `undefined` at its end. */
  async peek(): Promise<number | undefined> {
    return await this.#has(1) ? this.#bytes[0] : undefined;
  }

  /** Up to and without the next line feed; `undefined` at the end or where `limit` bytes have none. */
  async line(limit: number): Promise<Uint8Array | undefined> {
    for (let wanted = 1; wanted <= limit; wanted = this.#bytes.length + 1) {
      const at = this.#bytes.indexOf(10);
      if (at >= 0) {
        const line = this.#bytes.subarray(0, at);
        this.#bytes = this.#bytes.subarray(at + 1);
        return line;
      }
      if (!await this.#has(wanted)) return undefined;
    }
    return undefined;
  }

  /** The next `length` bytes; `undefined` if the stream ends before. */
  async bytes(length: number): Promise<Uint8Array | undefined> {
    if (!await this.#has(length)) return undefined;
    const bytes = this.#bytes.subarray(0, length);
    this.#bytes = this.#bytes.subarray(length);
    return bytes;
  }

  /** Reads no more; a pending call ends as at the end of the stream. */
  async cancel(): Promise<void> {
    this.#over = true;
    await this.#reader.cancel().catch(() => {});
  }

  /** Waits until that many bytes are there. */
  async #has(length: number): Promise<boolean> {
    if (this.#bytes.length >= length) return true;
    const parts = this.#bytes.length === 0 ? [] : [this.#bytes];
    let size = this.#bytes.length;
    while (size < length) {
      if (this.#over) return false;
      const { done, value } = await this.#reader.read();
      if (done) {
        this.#over = true;
        return false;
      }
      parts.push(value);
      size += value.length;
    }
    this.#bytes = joinBytes(parts);
    return true;
  }
}

/** A writer takes no more. */
export class WriteTimeoutError extends Error {
  /** The error's name. */
  override readonly name = "WriteTimeoutError";
}

/**
 * Writes frames one after the other. Those that come while one is written go out together: a write
 * costs more than its bytes.
 */
export class FrameWriter {
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #patience: number;
  #waiting: { bytes: Uint8Array; done: () => void; fail: (error: unknown) => void }[] = [];
  #running = false;

  /** `patience` is how many milliseconds a write may take. */
  constructor(writable: WritableStream<Uint8Array>, patience: number) {
    this.#writer = writable.getWriter();
    this.#writer.closed.catch(() => {});
    this.#patience = patience;
  }

  /** Writes one frame; resolves when the other end's system has taken it. */
  send(bytes: Uint8Array): Promise<void> {
    return new Promise((done, fail) => {
      this.#waiting.push({ bytes, done, fail });
      if (!this.#running) void this.#run();
    });
  }

  /** Ends the direction. Never rejects. */
  async close(): Promise<void> {
    await this.#inTime(this.#writer.close()).catch(() => this.#abort());
  }

  /** Gives up what was not written. That is not waited for: a write that is stuck may stay so. */
  #abort(): void {
    this.#writer.abort().catch(() => {});
  }

  async #run(): Promise<void> {
    this.#running = true;
    while (this.#waiting.length > 0) {
      const frames = this.#waiting;
      this.#waiting = [];
      try {
        await this.#inTime(this.#writer.write(joinBytes(frames.map(({ bytes }) => bytes))));
        for (const { done } of frames) done();
      } catch (error) {
        for (const { fail } of frames) fail(error);
        this.#abort();
      }
    }
    this.#running = false;
  }

  async #inTime(written: Promise<void>): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        reject(new WriteTimeoutError(`The other end took nothing for ${this.#patience / 1000} s`));
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

/** A document as a frame. */
export function frameOf(document: unknown): Uint8Array {
  const text = JSON.stringify(document);
  const frame = new Uint8Array(HEADER + text.length * 3);
  const { written } = encoder.encodeInto(text, frame.subarray(HEADER));
  setLength(frame, written);
  return frame.subarray(0, HEADER + written);
}

/**
 * A document as a frame, whose JSON is `before`, the bytes in base64, and `after`. Base64 needs
 * neither JSON's escapes nor a guess of how long it is in UTF-8, which doubles the rate.
 */
export function frameAround(before: string, bytes: Uint8Array, after: string): Uint8Array {
  const [head, tail, data] = [encoder.encode(before), encoder.encode(after), toBase64(bytes)];
  const length = head.length + data.length + tail.length;
  const frame = new Uint8Array(HEADER + length);
  setLength(frame, length);
  frame.set(head, HEADER);
  encoder.encodeInto(data, frame.subarray(HEADER + head.length));
  frame.set(tail, HEADER + head.length + data.length);
  return frame;
}

function setLength(frame: Uint8Array, length: number): void {
  frame[0] = length >>> 24;
  frame[1] = length >>> 16;
  frame[2] = length >>> 8;
  frame[3] = length;
}
