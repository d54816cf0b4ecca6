import { ProxyError } from "./errors.ts";
import { frameOf, FrameReader, FrameWriter } from "./frames.ts";
import { type Duplex, ERROR_CODES, type ErrorCode, isParams, type Params } from "./protocol.ts";

/** Most bytes of a response: a listing may be longer than any request. */
const MOST_RESPONSE = 1024 * 1024;

/** Milliseconds in which the server must read a request. */
const PATIENCE = 30_000;

interface Waiting {
  readonly resolve: (result: Params) => void;
  readonly reject: (error: ProxyError) => void;
}

/** Requests to a server and their responses. Any number of requests may be pending. */
export class RequestChannel {
  readonly #reader: FrameReader;
  readonly #writer: FrameWriter;
  readonly #waiting = new Map<string, Waiting>();
  readonly #done: Promise<void>;
  #next = 1;
  #ended: string | undefined;

  constructor({ readable, writable }: Duplex) {
    this.#reader = new FrameReader(readable);
    this.#writer = new FrameWriter(writable, PATIENCE);
    this.#done = this.#readResponses();
  }

  /** Sends a request; resolves to the result of its response. */
  request(op: string, params: Params): Promise<Params> {
    if (this.#ended !== undefined) return Promise.reject(new ProxyError("E_IO", this.#ended));
    const id = (this.#next++).toString(36);
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#writer.send(frameOf({ id, op, params })).catch(() => this.#end(GONE));
    });
  }

  /** Ends the connection. */
  async close(): Promise<void> {
    this.#end("the connection is closed");
    await this.#writer.close();
    await this.#reader.cancel();
    await this.#done;
  }

  async #readResponses(): Promise<void> {
    const decoder = new TextDecoder();
    try {
      for (;;) {
        const document = await this.#reader.next(MOST_RESPONSE);
        if (document === undefined) break;
        this.#take(JSON.parse(decoder.decode(document)));
      }
      this.#end(GONE);
    } catch (error) {
      this.#end(error instanceof Error ? error.message : String(error));
      await this.#reader.cancel();
    }
  }

  #take(response: unknown): void {
    if (!isParams(response)) throw new Error("The response is not an object");
    const { id, ok, result, error } = response;
    const waiting = this.#waiting.get(String(id));
    const failure = isParams(error) ? error : {};
    if (waiting === undefined) {
      // A response without a known id ends the connection; its message fails all pending requests.
      throw new Error(typeof failure["message"] === "string" ? failure["message"] : "unknown id");
    }
    this.#waiting.delete(String(id));
    if (ok === true) return waiting.resolve(isParams(result) ? result : {});
    const { message, posix } = failure;
    const text = typeof message === "string" ? message : "it failed";
    waiting.reject(
      new ProxyError(codeOf(failure["code"]), text, typeof posix === "string" ? posix : undefined),
    );
  }

  #end(why: string): void {
    this.#ended ??= why;
    for (const { reject } of this.#waiting.values()) reject(new ProxyError("E_IO", this.#ended));
    this.#waiting.clear();
  }
}

const GONE = "the server is gone";

function codeOf(value: unknown): ErrorCode {
  return ERROR_CODES.find((code) => code === value) ?? "E_IO";
}
