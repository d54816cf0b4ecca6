import type { Chunk } from "../../streams/mod.ts";
import type { Params } from "./protocol.ts";
import { fromBase64Into, toBase64 } from "./base64.ts";

/** How a {@linkcode RemoteFile} reaches its server. */
export interface RemoteAccess {
  /** Most bytes of one read. */
  readonly chunk: number;
  /** Sends a request about the file's handle. */
  request(op: string, params: Params, action: string): Promise<Params>;
  /** Throws where the server cannot move the handle. */
  requireSeek(action: string): void;
  /** The error for an answer that makes no sense. */
  broken(action: string): Error;
}

/** Most bytes of one write: with base64 and its envelope, that is less than a frame may have. */
const WRITE = 32 * 1024;

/**
 * Reads and writes at offsets through a handle that has a position. Requests are sent in the order
 * of the calls, and as the server keeps that order, none has to wait for the answer to another.
 */
export class RemoteFile {
  readonly #access: RemoteAccess;
  /** Where the handle will stand when all requests are done; `undefined` where that is not sure. */
  #position: number | undefined = 0;

  constructor(access: RemoteAccess) {
    this.#access = access;
  }

  /** Reads at an offset. */
  async read(at: number, into: Chunk): Promise<number> {
    const { chunk } = this.#access;
    const max = Math.min(into.length, chunk);
    const moved = this.#moveTo(at, "read");
    this.#position = at + max;
    const asked = this.#access.request("read", { max }, "read");
    const [, { data }] = await Promise.all([moved, asked]);
    const target = into.length > max ? into.subarray(0, max) : into;
    const count = typeof data === "string" ? fromBase64Into(data, target) : undefined;
    if (count === undefined) throw this.#access.broken("read");
    // A read that came to the end leaves the handle there, wherever the next one thinks it is.
    if (count < max) this.#position = undefined;
    return count;
  }

  /** Writes the whole chunk, at an offset or where the handle stands. */
  async write(at: number | undefined, chunk: Chunk): Promise<void> {
    const sent: Promise<unknown>[] = [];
    if (at !== undefined) sent.push(this.#moveTo(at, "write"));
    for (let from = 0; from < chunk.length; from += WRITE) {
      const part = chunk.subarray(from, from + WRITE);
      sent.push(this.#access.request("write", { data: toBase64(part) }, "write"));
    }
    if (at !== undefined) this.#position = at + chunk.length;
    try {
      await Promise.all(sent);
    } catch (error) {
      this.#position = undefined;
      await Promise.allSettled(sent);
      throw error;
    }
  }

  async #moveTo(offset: number, action: string): Promise<void> {
    if (this.#position === offset) return;
    this.#access.requireSeek(action);
    await this.#access.request("seek", { offset }, action);
  }
}
