import type { HostOutput } from "../ports/mod.ts";
import type { Chunk } from "../streams/mod.ts";
import type { VfsOutput } from "./types.ts";

/** New contents of a file on the host, in a temporary file until `close`. */
export class HostVfsOutput implements VfsOutput {
  readonly #output: HostOutput;
  readonly #target: string;
  readonly #exclusive: boolean;
  readonly #sync: boolean;
  readonly #report: (action: () => Promise<void>) => Promise<void>;
  #ended: Promise<void> | undefined;

  /** `report` converts errors of the host to those that a `Vfs` throws. */
  constructor(output: HostOutput, options: {
    target: string;
    exclusive: boolean;
    sync: boolean;
    report: (action: () => Promise<void>) => Promise<void>;
  }) {
    this.#output = output;
    this.#target = options.target;
    this.#exclusive = options.exclusive;
    this.#sync = options.sync;
    this.#report = options.report;
  }

  write(chunk: Chunk): Promise<void> {
    if (this.#ended !== undefined) {
      return Promise.reject(new TypeError("Cannot write: the file is closed"));
    }
    return this.#report(() => this.#output.write(chunk));
  }

  close(): Promise<void> {
    return this.#ended ??= this.#report(async () => {
      try {
        await this.#output.commit(this.#target, { exclusive: this.#exclusive, sync: this.#sync });
      } catch (error) {
        await this.#output.discard();
        throw error;
      }
    });
  }

  abort(): Promise<void> {
    return this.#ended ??= this.#report(() => this.#output.discard());
  }
}
