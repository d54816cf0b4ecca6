import type { Chunk } from "../../streams/mod.ts";
import type { Params } from "./protocol.ts";
import { fromBase64Into, toBase64 } from "./base64.ts";

/** The connection of a {@linkcode RemoteFile} to its server. */
export interface RemoteAccess {
  /** Most bytes of one read. */
  readonly chunk: number;
  /** Sends a request about the file's handle. */
  request(op: string, params: Params, action: string): Promise<Params>;
  /** Throws if the server does not support `seek`. */
  requireSeek(action: string): void;
  /** Makes the error for an invalid answer. */
  broken(action: string): Error;
}

/** Most bytes of one write: in base64, with the rest of the request, less than a frame may have. */
const WRITE = 32 * 1024;

/**
 * Reads and writes at offsets through a handle that has a position. Requests are sent in the order
 * of the calls, without waiting for earlier answers: the server keeps their order.
 */
export class RemoteFile {
  readonly #access: RemoteAccess;
  /** Expected position after all pending requests; `undefined` if it is uncertain. */
  #position: number | undefined = 0;
  /** Position after the answered requests; `undefined` if it is unknown. */
  #stands: number | undefined = 0;
  #unanswered = 0;

  constructor(access: RemoteAccess) {
    this.#access = access;
  }

  /** Reads at an offset. */
  async read(at: number, into: Chunk): Promise<number> {
    const max = Math.min(into.length, this.#access.chunk);
    const moved = this.moveTo(at, "read");
    this.#position = at + max;
    const asked = this.#ask("read", { max }, "read", ({ data }) => {
      const target = into.subarray(0, max);
      const length = typeof data === "string" ? fromBase64Into(data, target) : undefined;
      const stood = this.#stands;
      this.#stands = length === undefined || stood === undefined ? undefined : stood + length;
      return { length, stood };
    });
    const [, { length, stood }] = await Promise.all([moved, asked]);
    if (length === undefined) throw this.#access.broken("read");
    // An earlier read met the end and the file has grown since: these bytes are not from `at`.
    if (length > 0 && stood !== undefined && stood !== at) return await this.read(at, into);
    return length;
  }

  /** Writes the whole chunk at an offset, or at the handle's position. */
  async write(at: number | undefined, chunk: Chunk): Promise<void> {
    const sent: Promise<unknown>[] = [];
    if (at !== undefined) sent.push(this.moveTo(at, "write"));
    for (let from = 0; from < chunk.length; from += WRITE) {
      const part = chunk.subarray(from, from + WRITE);
      const written = () => {
        if (this.#stands !== undefined) this.#stands += part.length;
      };
      const asked = this.#ask("write", { data: toBase64(part) }, "write", written);
      // A failed write may have written a part.
      asked.catch(() => this.#stands = undefined);
      sent.push(asked);
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

  /** Moves the handle to an offset, unless it is there. */
  async moveTo(offset: number, action: string): Promise<void> {
    if (this.#position === offset) return;
    this.#access.requireSeek(action);
    await this.#ask("seek", { offset }, action, () => void (this.#stands = offset));
  }

  /**
   * Asks for the position after others have used the handle; `offset` if the server cannot tell.
   */
  async position(offset: number, canTell: boolean): Promise<number> {
    const tell = async () => {
      const told = (result: Params) =>
        typeof result["offset"] === "number" ? result["offset"] : offset;
      return await this.#ask("seek", {}, "use", (result) => this.#stands = told(result));
    };
    const stands = canTell ? await tell() : offset;
    this.#stands = this.#position = stands;
    return stands;
  }

  /** Sends a request. `answered` gets the results in the order of the requests. */
  async #ask<Result>(
    op: string,
    params: Params,
    action: string,
    answered: (result: Params) => Result,
  ): Promise<Result> {
    this.#unanswered++;
    try {
      return answered(await this.#access.request(op, params, action));
    } finally {
      // A read that met the end has moved the handle less far than expected.
      if (--this.#unanswered === 0) this.#position = this.#stands;
    }
  }
}
