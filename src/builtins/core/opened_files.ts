import type { ByteSource } from "../../streams/mod.ts";
import type { BuiltinIo } from "../builtin.ts";
import { errorText, isFatal, openFile } from "./operands.ts";

/** The size of a regular file, `undefined` for other files, or the error of opening it. */
export type Probe = { readonly size: number | undefined } | { readonly problem: string };

/** Maximum number of regular files kept open after reading their size. */
const MAX_OPEN = 16;

/**
 * Opens files to read their sizes. Keeps files that can be read only once, such as FIFOs, and some
 * others open until they are read.
 */
export class OpenedFiles implements BuiltinIo {
  readonly stdin: ByteSource;
  readonly signal: AbortSignal;
  readonly #io: BuiltinIo;
  readonly #kept = new Map<string, ByteSource>();

  constructor(io: BuiltinIo) {
    this.#io = io;
    this.stdin = io.stdin;
    this.signal = io.signal;
  }

  warn(message: string): void {
    this.#io.warn(message);
  }

  async open(path: string): Promise<ByteSource> {
    const source = this.#kept.get(path);
    this.#kept.delete(path);
    return source ?? await openFile(path, this.#io);
  }

  /** Opens a file to check that it is readable and to get its size. `-` is standard input. */
  async probe(name: string): Promise<Probe> {
    if (name === "-") return { size: this.stdin.at?.size };
    const kept = this.#kept.get(name);
    if (kept !== undefined) return { size: kept.at?.size };
    try {
      const source = await openFile(name, this.#io);
      if (source.at === undefined || this.#kept.size < MAX_OPEN) this.#kept.set(name, source);
      else await source.return();
      return { size: source.at?.size };
    } catch (error) {
      if (isFatal(error, this.signal)) throw error;
      const problem = errorText(error);
      // Opening a folder succeeds, only reading fails.
      return problem === "Is a directory" ? { size: undefined } : { problem };
    }
  }
}
