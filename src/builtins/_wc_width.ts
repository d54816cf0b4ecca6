import type { ByteSource } from "../streams/mod.ts";
import type { BuiltinIo } from "./builtin.ts";
import { errorText, isFatal, openFile } from "./_operands.ts";

/** How many files are kept open between measuring and counting. */
const MAX_OPEN = 16;

/** Opens files to look at their size, and keeps open what would be lost by opening it again. */
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

  /** Size of a regular file, `"stream"` for what has no size, `undefined` if it cannot be opened. */
  async size(name: string): Promise<number | "stream" | undefined> {
    if (name === "-") return this.stdin.at?.size ?? "stream";
    const kept = this.#kept.get(name);
    if (kept !== undefined) return kept.at?.size ?? "stream";
    try {
      const source = await openFile(name, this.#io);
      if (source.at === undefined || this.#kept.size < MAX_OPEN) this.#kept.set(name, source);
      else await source.return();
      return source.at?.size ?? "stream";
    } catch (error) {
      if (isFatal(error, this.signal)) throw error;
      return errorText(error) === "Is a directory" ? "stream" : undefined;
    }
  }
}

/** The width of the columns: GNU's, from the sizes of the files, before anything is counted. */
export async function measure(
  names: readonly string[],
  columns: number,
  files: OpenedFiles,
): Promise<number> {
  if (names.length === 1 && columns === 1) return 1;
  let least = 1;
  let bytes = 0;
  for (const name of names) {
    const size = await files.size(name);
    if (size === "stream") least = 7;
    else bytes += size ?? 0;
  }
  return Math.max(least, String(bytes).length);
}
