import {
  BlockSource,
  type ByteSource,
  type Chunk,
  noteTurn,
  type RandomAccess,
} from "../streams/mod.ts";
import { fileError } from "./errors.ts";
import { OwnOutput } from "./_own_output.ts";

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

class StdinSource extends BlockSource {
  declare readonly at?: RandomAccess;
  /** Bytes that were read in order. */
  #taken = 0;
  #pending: Promise<unknown> | undefined;
  #file: StdinFile | undefined;

  constructor() {
    super();
    // What stdin is may take node:fs to tell, so this waits for the first use.
    let known = false;
    const get = () => {
      if (!known) this.#file = StdinFile.open(() => this.#settled());
      known = true;
      return this.#file;
    };
    Object.defineProperty(this, "at", { get });
  }

  protected override async read(into: Chunk): Promise<number> {
    // A file is read in order too, until random access has moved the descriptor to its end.
    const reading = this.#file?.located === true
      ? this.#file.read(this.#taken, into)
      : this.#readOn(into);
    this.#pending = reading;
    try {
      const read = await reading;
      this.#taken += read;
      return read;
    } finally {
      this.#pending = undefined;
    }
  }

  async #readOn(into: Chunk): Promise<number> {
    try {
      const read = await Deno.stdin.read(into) ?? 0;
      noteTurn();
      return read;
    } catch (error) {
      throw fileError("read standard input", "stdin", error);
    }
  }

  /** How many bytes were read in order, once no read is under way. */
  async #settled(): Promise<number> {
    while (this.#pending !== undefined) await this.#pending.catch(() => {});
    return this.#taken;
  }

  /** Also ends a read that is under way. */
  protected override close(): void {
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
  readonly #taken: () => Promise<number>;
  readonly #own: OwnOutput;
  #start: Promise<number> | undefined;
  /** Whether the descriptor stands at the end, so that every read must say where. */
  located = false;

  /** `taken` tells how many bytes have been read in order, when no such read is under way. */
  static open(taken: () => Promise<number>): StdinFile | undefined {
    const { isFile, size } = statStdin();
    return isFile ? new StdinFile(size, taken) : undefined;
  }

  private constructor(size: number, taken: () => Promise<number>) {
    this.size = size;
    this.#taken = taken;
    this.#own = new OwnOutput(0, size);
  }

  async read(offset: number, into: Chunk): Promise<number> {
    const position = await (this.#start ??= this.#locate()) + offset;
    return await new Promise<number>((resolve, reject) => {
      nodeFs().read(0, into, 0, into.length, position, (error, read) => {
        noteTurn();
        if (error === null) resolve(this.#own.limit(position, read));
        else reject(fileError("read standard input", "stdin", error));
      });
    });
  }

  /**
   * Where the descriptor stood. Nothing tells a program without permissions, so this counts what
   * is left: the shell in `{ read -r header; llmcmd ...; } < file` has read some of it.
   */
  async #locate(): Promise<number> {
    const taken = await this.#taken();
    const buffer = new Uint8Array(1024 * 1024);
    let left = 0;
    for (let read = 1; read > 0; left += read) {
      read = nodeFs().readSync(0, buffer, 0, buffer.length, null);
    }
    this.located = true;
    return Math.max(0, this.size - left - taken);
  }
}

/**
 * What the system says of stdin. Without a permission only node:fs can tell, which takes 20 ms and
 * 12 MB to load.
 */
function statStdin(): { readonly isFile: boolean; readonly size: number } {
  const path = "/dev/stdin";
  try {
    if (Deno.permissions.querySync({ name: "read", path }).state === "granted") {
      return Deno.statSync(path);
    }
  } catch {
    // It may be closed, or the system has no such path.
  }
  const info = nodeFs().fstatSync(0);
  return { isFile: info.isFile(), size: info.size };
}

function nodeFs(): NodeFs {
  // deno-lint-ignore no-process-global
  return process.getBuiltinModule("node:fs");
}
