import { bytesOf, frameOf, FrameReader } from "./frames.ts";
import type { Duplex } from "./protocol.ts";

/**
 * The two ends of a duplex in memory. The signal breaks the connection, as killing a process does.
 */
export function duplexPair(signal?: AbortSignal): [Duplex, Duplex] {
  const up = new TransformStream<Uint8Array, Uint8Array>();
  const down = new TransformStream<Uint8Array, Uint8Array>();
  const from = ({ readable }: TransformStream<Uint8Array, Uint8Array>) =>
    signal === undefined ? readable : readable.pipeThrough(new TransformStream(), { signal });
  return [
    { readable: from(down), writable: up.writable },
    { readable: from(up), writable: down.writable },
  ];
}

/** A client that sends raw requests and returns raw responses. */
export class RawClient {
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #reader: FrameReader;

  constructor({ readable, writable }: Duplex) {
    this.#writer = writable.getWriter();
    this.#reader = new FrameReader(readable);
  }

  /** Sends bytes as they are. */
  async bytes(bytes: Uint8Array): Promise<void> {
    await this.#writer.write(bytes);
  }

  /** Sends a document as a frame. */
  async send(document: unknown): Promise<void> {
    await this.bytes(bytesOf([frameOf(document)]));
  }

  /** Receives the next response; `undefined` at the end. */
  async receive(): Promise<unknown> {
    const document = await this.#reader.next(1024 * 1024);
    return document === undefined ? undefined : JSON.parse(new TextDecoder().decode(document));
  }

  /** Sends a request and returns its response. */
  async ask(document: unknown): Promise<unknown> {
    const [, response] = await Promise.all([this.send(document), this.receive()]);
    return response;
  }

  /** Ends the connection. */
  async end(): Promise<void> {
    await this.#writer.close();
    while (await this.receive() !== undefined);
  }
}
