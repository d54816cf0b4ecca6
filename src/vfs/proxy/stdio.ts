import type { ByteSink, ByteSource, Chunk } from "../../streams/mod.ts";
import { ProxyError } from "./errors.ts";
import { FIRST_HANDLE } from "./protocol.ts";

/** The standard streams that a MUX serves as handles 0, 1 and 2. */
export interface ProxyStdio {
  /** Handle 0. */
  readonly stdin: ByteSource;
  /** Handle 1. */
  readonly stdout: ByteSink;
  /** Handle 2. */
  readonly stderr: ByteSink;
}

/** Handles 0, 1 and 2. Closing one has no effect: the streams belong to the process. */
export class StdioHandles {
  readonly #stdio: ProxyStdio | undefined;
  /** The unread part of the last chunk of standard input; a copy. */
  #rest: Chunk = new Uint8Array(0);
  #ended = false;
  #giveUp: (reason: ProxyError) => void = () => {};
  readonly #over = new Promise<never>((_resolve, reject) => this.#giveUp = reject);
  readonly #last: Promise<unknown>[] = [Promise.resolve(), Promise.resolve(), Promise.resolve()];

  /** Without streams, all three handles are refused. */
  constructor(stdio: ProxyStdio | undefined) {
    this.#stdio = stdio;
    this.#over.catch(() => {});
  }

  /** Stops waiting for input: the client has disconnected. */
  end(): void {
    this.#giveUp(new ProxyError("E_IO", "the connection has ended"));
  }

  /** True if a handle is one of the three. */
  has(handle: number): boolean {
    return handle < FIRST_HANDLE;
  }

  /** Throws if a handle is one of the three and there are no streams. */
  check(handle: number): void {
    if (this.has(handle)) this.#streams(handle);
  }

  /** Throws if a handle cannot be read, or written. */
  require(handle: number, reads: boolean): void {
    this.#streams(handle);
    if (reads === (handle === 0)) return;
    throw new ProxyError("E_PERM", `handle ${handle} is not for ${reads ? "reading" : "writing"}`);
  }

  /** Reads up to `into.length` bytes of standard input; resolves to 0 at its end. */
  read(handle: number, into: Chunk): Promise<number> {
    const { stdin } = this.#streams(handle);
    if (handle !== 0) throw new ProxyError("E_PERM", `handle ${handle} is not for reading`);
    return this.#inTurn(handle, async () => {
      while (this.#rest.length === 0 && !this.#ended) {
        const { done, value } = await Promise.race([stdin.next(), this.#over]);
        if (done === true) this.#ended = true;
        else this.#rest = value.slice();
      }
      const part = this.#rest.subarray(0, into.length);
      into.set(part);
      this.#rest = this.#rest.subarray(part.length);
      return part.length;
    });
  }

  /** Writes to standard output or error. */
  write(handle: number, chunk: Chunk): Promise<void> {
    const { stdout, stderr } = this.#streams(handle);
    if (handle === 0) throw new ProxyError("E_PERM", "handle 0 is not for writing");
    return this.#inTurn(handle, async () => {
      if (chunk.length > 0) await (handle === 1 ? stdout : stderr).write(chunk);
    });
  }

  /** Has no effect. */
  close(handle: number): Promise<void> {
    this.#streams(handle);
    return Promise.resolve();
  }

  #streams(handle: number): ProxyStdio {
    if (this.#stdio !== undefined) return this.#stdio;
    throw new ProxyError("E_PERM", `handle ${handle} is not served here`);
  }

  #inTurn<Result>(handle: number, action: () => Promise<Result>): Promise<Result> {
    const result = (this.#last[handle] ?? Promise.resolve()).then(action);
    this.#last[handle] = result.catch(() => {});
    return result;
  }
}
