import { type ByteSource, type Chunk, type RandomAccess, Source } from "../streams/mod.ts";
import { BlockReader } from "./_block_reader.ts";
import { fileError } from "./errors.ts";

/**
 * Standard input. Nothing is read before it is asked for, so a run that doesn't use it leaves it
 * to others (`while read f; do llmcmd ... "$f"; done < list`).
 *
 * A regular file (`< data.csv`) has random access, beginning where the descriptor stood; anything
 * else is a stream. Ending it closes the process's standard input.
 */
export function stdinSource(): ByteSource {
  return new StdinSource();
}

class StdinSource extends Source {
  declare readonly at?: RandomAccess;
  #offset = 0;
  readonly #blocks = new BlockReader((into) => this.#read(into));

  constructor() {
    super();
    // What stdin is may take node:fs to tell, so this waits for the first use.
    let file: { at: RandomAccess | undefined } | undefined;
    const get = () => (file ??= { at: StdinFile.open() }).at;
    Object.defineProperty(this, "at", { get });
  }

  protected override pull(): Promise<Chunk | undefined> {
    return this.#blocks.next();
  }

  async #read(into: Chunk): Promise<number> {
    const at = this.at;
    if (at !== undefined) {
      const read = await at.read(this.#offset, into);
      this.#offset += read;
      return read;
    }
    try {
      return await Deno.stdin.read(into) ?? 0;
    } catch (error) {
      throw fileError("read standard input", "stdin", error);
    }
  }

  /** Closing also settles a pending read. */
  protected override release(): void {
    try {
      Deno.stdin.close();
    } catch (error) {
      if (!(error instanceof Deno.errors.BadResource)) throw error;
    }
  }
}

type NodeFs = typeof import("node:fs");

class StdinFile implements RandomAccess {
  /** Bytes of the file; less are left when the descriptor doesn't stand at its beginning. */
  readonly size: number;
  readonly #fs: NodeFs;
  #start: number | undefined;

  static open(): StdinFile | undefined {
    if (isStream()) return undefined;
    const fs = nodeFs();
    const info = fs.fstatSync(0);
    return info.isFile() ? new StdinFile(fs, info.size) : undefined;
  }

  private constructor(fs: NodeFs, size: number) {
    this.#fs = fs;
    this.size = size;
  }

  async read(offset: number, into: Chunk): Promise<number> {
    const position = this.#offset() + offset;
    return await new Promise<number>((resolve, reject) => {
      this.#fs.read(0, into, 0, into.length, position, (error, read) => {
        if (error === null) resolve(read);
        else reject(fileError("read standard input", "stdin", error));
      });
    });
  }

  /**
   * Where the descriptor stands. Nothing tells a program without permissions, so this counts what
   * is left: the shell in `{ read -r header; llmcmd ...; } < file` has read some of it.
   */
  #offset(): number {
    if (this.#start === undefined) {
      const buffer = new Uint8Array(1024 * 1024);
      let left = 0;
      for (let read = 1; read > 0; left += read) {
        read = this.#fs.readSync(0, buffer, 0, buffer.length, null);
      }
      this.#start = Math.max(0, this.size - left);
    }
    return this.#start;
  }
}

/**
 * Whether the system says that stdin is no regular file. Without a permission only node:fs can tell,
 * which takes 20 ms and 12 MB to load.
 */
function isStream(): boolean {
  const path = "/dev/stdin";
  try {
    return Deno.permissions.querySync({ name: "read", path }).state === "granted" &&
      !Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

function nodeFs(): NodeFs {
  // deno-lint-ignore no-process-global
  return process.getBuiltinModule("node:fs");
}
