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
 * Standard input. Nothing is read in advance, so a run that doesn't use it leaves it to others
 * (`while read f; do llmcmd ... "$f"; done < list`).
 *
 * A regular file (`< data.csv`) has random access, beginning at the descriptor's position; anything
 * else is a stream. Ending it closes the process's standard input.
 */
export function stdinSource(): ByteSource {
  return new StdinSource();
}

class StdinSource extends BlockSource {
  declare readonly at?: RandomAccess;
  /** Bytes read sequentially so far. */
  #taken = 0;
  #pending: Promise<unknown> | undefined;
  #file: StdinFile | undefined;

  constructor() {
    super();
    // Finding out what stdin is may need node:fs, so this waits for the first use.
    let known = false;
    const get = () => {
      if (!known) this.#file = StdinFile.open(() => this.#settled());
      known = true;
      return this.#file;
    };
    Object.defineProperty(this, "at", { get });
  }

  protected override async read(into: Chunk): Promise<number> {
    // A file is read sequentially, too, until random access has moved the descriptor to its end.
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

  /** Bytes read sequentially, once no read is pending. */
  async #settled(): Promise<number> {
    while (this.#pending !== undefined) await this.#pending.catch(() => {});
    return this.#taken;
  }

  /** Also ends a pending read. */
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
  /** Size of the file; fewer bytes are left if the descriptor is not at its beginning. */
  readonly size: number;
  readonly #taken: () => Promise<number>;
  readonly #own: OwnOutput;
  #start: Promise<number> | undefined;
  /** True once the descriptor is at the end, so that every read must give its position. */
  located = false;

  /** `taken` gives the number of bytes read sequentially, once no such read is pending. */
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
   * The position of the descriptor at the start. A program without permissions cannot ask for it,
   * so this counts the bytes left: the shell in `{ read -r header; llmcmd ...; } < file` has read
   * some.
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
 * Kind and size of stdin. Without a permission only node:fs gives them, which takes 20 ms and 12 MB
 * to load.
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
