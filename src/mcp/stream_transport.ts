import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";

/** Longest message that is accepted, in bytes. */
const MOST_BYTES = 10 * 1024 * 1024;

/** Milliseconds in which requests are still answered after the end of the input. */
const GRACE = 500;

const NEWLINE = 0x0a;

/** The SDK's parser and writer of messages. */
export interface MessageFormat {
  /** Parses a message. Throws if the line is not a message. */
  deserializeMessage(line: string): JSONRPCMessage;
  /** Writes a message as a line. */
  serializeMessage(message: JSONRPCMessage): string;
}

/**
 * MCP's stdio transport over byte streams, one JSON-RPC message a line. The SDK's own transport
 * works on Node's streams and ignores back-pressure.
 *
 * It ends with its input. Pending requests are still answered for a short time, because the client
 * may be a script that writes all its requests first and then waits for the answers.
 */
export class StreamTransport implements Transport {
  /** Settles when it is closed. */
  readonly closed: Promise<void>;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #format: MessageFormat;
  readonly #pending = new Set<string | number>();
  readonly #encoder = new TextEncoder();
  #answered: () => void = () => {};
  #settle: () => void = () => {};
  #open = true;

  constructor(
    readable: ReadableStream<Uint8Array>,
    writable: WritableStream<Uint8Array>,
    format: MessageFormat,
  ) {
    this.#reader = readable.getReader();
    this.#writer = writable.getWriter();
    this.#format = format;
    this.closed = new Promise((resolve) => this.#settle = resolve);
  }

  /** Begins to read. */
  start(): Promise<void> {
    void this.#read();
    return Promise.resolve();
  }

  /** Writes a message; resolves when it is written. */
  async send(message: JSONRPCMessage): Promise<void> {
    if (!this.#open) throw new Error("The client has closed the connection");
    try {
      await this.#writer.write(this.#encoder.encode(this.#format.serializeMessage(message)));
    } catch (error) {
      // The client no longer reads.
      await this.close();
      throw error;
    } finally {
      if (!("method" in message) && message.id !== undefined) {
        this.#pending.delete(message.id);
        if (this.#pending.size === 0) this.#answered();
      }
    }
  }

  /** Ends reading and writing; the SDK aborts running requests. */
  async close(): Promise<void> {
    if (!this.#open) return;
    this.#open = false;
    this.#answered();
    await this.#reader.cancel().catch(() => {});
    // Not awaited: queued output may wait for a client that does not read.
    this.#writer.close().catch(() => {});
    this.onclose?.();
    this.#settle();
  }

  async #read(): Promise<void> {
    try {
      for await (const line of this.#lines()) this.#take(line);
      await this.#untilAnswered();
    } catch (error) {
      this.#report(error);
    }
    await this.close();
  }

  async *#lines(): AsyncGenerator<string, void, void> {
    const parts: Uint8Array[] = [];
    let size = 0;
    for (;;) {
      const { done, value } = await this.#reader.read();
      if (done) break;
      let from = 0;
      for (let end = value.indexOf(NEWLINE); end >= 0; end = value.indexOf(NEWLINE, from)) {
        yield decoded([...parts.splice(0), value.subarray(from, end)]);
        size = 0;
        from = end + 1;
      }
      size += value.length - from;
      if (size > MOST_BYTES) {
        throw new RangeError(
          `A message has more than ${MOST_BYTES} bytes: the connection is closed`,
        );
      }
      if (from < value.length) parts.push(value.slice(from));
    }
    if (size > 0) yield decoded(parts);
  }

  #take(line: string): void {
    if (!this.#open || line.trim() === "") return;
    let message: JSONRPCMessage;
    try {
      message = this.#format.deserializeMessage(line);
    } catch (error) {
      this.#report(error);
      return;
    }
    if ("method" in message) {
      if ("id" in message) this.#pending.add(message.id);
      // A request that is cancelled is not answered.
      else if (message.method === "notifications/cancelled") this.#forget(message.params);
    }
    this.onmessage?.(message);
  }

  #forget(params: unknown): void {
    const id = typeof params === "object" && params !== null && "requestId" in params
      ? params.requestId
      : undefined;
    if (typeof id === "string" || typeof id === "number") this.#pending.delete(id);
  }

  async #untilAnswered(): Promise<void> {
    if (!this.#open || this.#pending.size === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, GRACE);
      this.#answered = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #report(error: unknown): void {
    this.onerror?.(error instanceof Error ? error : new Error(String(error)));
  }
}

function decoded(parts: readonly Uint8Array[]): string {
  const decoder = new TextDecoder();
  return parts.map((part) => decoder.decode(part, { stream: true })).join("") + decoder.decode();
}
