import * as z from "zod";
import { joinBytes } from "../../base/mod.ts";
import { isMissing, VfsError } from "../errors.ts";
import type { Vfs, VfsHandle } from "../types.ts";
import { joined } from "../_paths.ts";
import { type Folder, type LayerTree, leaf } from "./tree.ts";

/** The layer's file that says what the files of `CONTENTS` are, a line of JSON for each change. */
export const LOG = "layer.ndjson";

/** The layer's folder with the bytes of files. */
export const CONTENTS = "files";

/** The first line. */
const header = z.lazy(() => z.strictObject({ layer: z.literal(1) }));

/** One change, done whole or not at all. Made when a log is read, as few programs do. */
const change = z.lazy(() => {
  const path = z.string().regex(/^\//, "Expected an absolute path");
  const kind = z.enum(["file", "folder", "link", "other"]);
  const mode = z.int().min(0).max(0o7777).exactOptional();
  const content = z.string().regex(/^[0-9]+$/, "Expected a number");
  return z.union([
    z.strictObject({
      before: path,
      kind,
      size: z.number().min(0),
      modified: z.number().exactOptional(),
      mode,
    }),
    z.strictObject({ file: path, content, mode }),
    z.strictObject({ moved: path, kind: z.enum(["file", "link", "other"]), from: path, mode }),
    z.strictObject({ folder: path, through: z.boolean(), mode }),
    z.strictObject({ gone: path }),
    z.strictObject({ rename: path, to: path }),
    z.strictObject({ applied: path }),
  ]);
});

const encoder = new TextEncoder();

const HEADER = `${JSON.stringify({ layer: 1 })}\n`;

/** Characters that are written at once. */
const BLOCK = 64 * 1024;

/** A line of the log. */
export type Change = z.infer<typeof change>;

/** Does to the tree what a line says. */
export function replay(tree: LayerTree, line: Change): void {
  if ("before" in line) {
    const { before, ...state } = line;
    tree.note(before, state);
  } else if ("file" in line) {
    tree.put(line.file, leaf("file", { content: line.content, mode: line.mode }));
  } else if ("moved" in line) {
    tree.put(line.moved, leaf(line.kind, { from: line.from, mode: line.mode }));
  } else if ("folder" in line) {
    tree.putFolder(line.folder, line.through, line.mode);
  } else if ("gone" in line) {
    tree.remove(line.gone);
  } else if ("rename" in line) {
    tree.rename(line.rename, line.to);
  } else {
    tree.drop(line.applied);
  }
}

function lineOf(change: Change): string {
  return `${JSON.stringify(change)}\n`;
}

/** The fewest lines that make the same tree of an empty one. */
export function* linesOf(tree: LayerTree): Generator<Change> {
  for (const [before, { kind, size, modified, mode }] of tree.before) {
    yield {
      ...{ before, kind, size },
      ...(modified === undefined ? {} : { modified }),
      ...modeOf(mode),
    };
  }
  yield* linesBelow(tree.top, "/");
}

function* linesBelow(folder: Folder, path: string): Generator<Change> {
  for (const [name, node] of folder.entries) {
    const at = joined(path, name);
    if (node === undefined) yield { gone: at };
    else if (node.kind === "folder") {
      yield { folder: at, through: node.through, ...modeOf(node.mode) };
      yield* linesBelow(node, at);
    } else if (node.content !== undefined) {
      yield { file: at, content: node.content, ...modeOf(node.mode) };
    } else {
      yield { moved: at, kind: node.kind, from: node.from ?? at, ...modeOf(node.mode) };
    }
  }
}

function modeOf(mode: number | undefined): { mode?: number } {
  return mode === undefined ? {} : { mode };
}

/**
 * Reads the log of a layer into a tree. What a program that was killed has not written to its end
 * did not happen. Returns the bytes that count.
 *
 * @throws {VfsError} `EIO`: it is no log of a layer.
 */
export async function readLog(layer: Vfs, tree: LayerTree): Promise<number> {
  let file;
  try {
    file = await layer.read(LOG);
  } catch (error) {
    if (isMissing(error)) return 0;
    throw error;
  }
  let count = 0;
  let bytes = 0;
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let rest = new Uint8Array(0);
  const read = (line: Uint8Array) => {
    count++;
    bytes += line.length + 1;
    try {
      const value: unknown = JSON.parse(decoder.decode(line));
      if (count === 1) header.parse(value);
      else replay(tree, change.parse(value));
    } catch (error) {
      const why = `line ${count} is no line of a layer`;
      throw new VfsError("EIO", LOG, "read", why, { cause: error });
    }
  };
  for await (const chunk of file) {
    const joined = joinBytes([rest, chunk]);
    let start = 0;
    for (let end = joined.indexOf(10); end >= 0; end = joined.indexOf(10, start)) {
      read(joined.subarray(start, end));
      start = end + 1;
    }
    rest = joined.slice(start);
  }
  return bytes;
}

/** Below this many bytes, no log is too long. */
const LEAST = 64 * 1024;

/** How many times what it describes a log may be. */
const MOST_TIMES = 4;

/** The log of a layer that is being written. */
export class LayerLog {
  readonly #layer: Vfs;
  readonly #count: (bytes: number) => void;
  #handle: VfsHandle | undefined;
  #size = 0;
  /** Beyond this many bytes, it is looked whether it has become too long. */
  #most = LEAST;
  #broken: unknown;

  /** `size`: the bytes that count, of those that are there; `count` is told how many are added. */
  constructor(layer: Vfs, size: number, count: (bytes: number) => void = () => {}) {
    this.#layer = layer;
    this.#count = count;
    this.#grew(size);
  }

  /** The log of the same layer when it is begun again. */
  begun(): LayerLog {
    this.#grew(-this.#size);
    return new LayerLog(this.#layer, 0, this.#count);
  }

  /** Adds lines: all of them, or none where it fails. */
  async append(lines: readonly Change[]): Promise<void> {
    if (lines.length === 0) return;
    if (this.#broken !== undefined) throw this.#broken;
    const handle = this.#handle ??= await this.#open();
    const text = lines.map(lineOf).join("");
    await this.#write(handle, this.#size === 0 ? `${HEADER}${text}` : text);
  }

  /**
   * Writes it anew where it has become far longer than what it says: beside it, and in its place
   * when it is on the disk. Where that fails, it goes on as it was.
   */
  async compact(tree: LayerTree): Promise<void> {
    if (this.#size <= this.#most) return;
    let size = encoder.encode(HEADER).length;
    for (const line of linesOf(tree)) size += encoder.encode(lineOf(line)).length;
    this.#most = Math.max(LEAST, MOST_TIMES * size, this.#size * 2);
    if (this.#size <= MOST_TIMES * size) return;
    try {
      await this.#rewrite(tree);
    } catch {
      return;
    }
    this.#most = Math.max(LEAST, MOST_TIMES * size);
    this.#grew(size - this.#size);
    // What is open is the old one.
    await this.close();
  }

  /** Closes it. */
  async close(): Promise<void> {
    const handle = this.#handle;
    this.#handle = undefined;
    await handle?.close();
  }

  async #rewrite(tree: LayerTree): Promise<void> {
    const output = await this.#layer.write(LOG, { sync: true });
    try {
      let text = HEADER;
      for (const line of linesOf(tree)) {
        text += lineOf(line);
        if (text.length < BLOCK) continue;
        await output.write(encoder.encode(text));
        text = "";
      }
      await output.write(encoder.encode(text));
    } catch (error) {
      await output.abort(error);
      throw error;
    }
    await output.close();
  }

  async #open(): Promise<VfsHandle> {
    const handle = await this.#layer.open(LOG, "a");
    try {
      if (handle.info.size > this.#size) await handle.truncate(this.#size);
      return handle;
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  async #write(handle: VfsHandle, text: string): Promise<void> {
    const bytes = encoder.encode(text);
    try {
      await handle.write("end", bytes);
      this.#grew(bytes.length);
    } catch (error) {
      // A part of it must not become the beginning of the next line.
      await handle.truncate(this.#size).catch((worse) => this.#broken = worse);
      throw error;
    }
  }

  #grew(bytes: number): void {
    this.#size += bytes;
    this.#count(bytes);
  }
}
