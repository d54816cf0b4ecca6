import * as z from "zod";
import { joinBytes } from "../../base/mod.ts";
import { isMissing, VfsError } from "../errors.ts";
import type { Vfs, VfsHandle } from "../types.ts";
import { joined } from "../_paths.ts";
import { type Folder, type LayerTree, leaf } from "./tree.ts";

/** The layer's log: a line of JSON for each change. It describes the files in `CONTENTS`. */
export const LOG = "layer.ndjson";

/** The layer's folder for the bytes of files. */
export const CONTENTS = "files";

/** The first line. */
const header = z.lazy(() => z.strictObject({ layer: z.literal(1) }));

/**
 * One change, which takes effect completely or not at all. Built at the first use, as few programs
 * read a log.
 */
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

/** Applies a line of the log to the tree. */
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

/** The shortest list of changes that turns an empty tree into this one. */
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
 * Reads the log of a layer into a tree. Ignores an incomplete last line, which a killed program may
 * have left. Returns the number of valid bytes.
 *
 * @throws {VfsError} `EIO` if the log is invalid.
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
      const why = `line ${count} is not a valid line of a layer`;
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

/** Logs up to this size are never rewritten. */
const LEAST = 64 * 1024;

/** Largest allowed ratio of the log's size to its shortest form. */
const MOST_TIMES = 4;

/** The log of a layer, open for writing. */
export class LayerLog {
  readonly #layer: Vfs;
  readonly #count: (bytes: number) => void;
  #handle: VfsHandle | undefined;
  #size = 0;
  /** Size beyond which the log is checked for rewriting. */
  #most = LEAST;
  #broken: unknown;

  /**
   * `size` is the number of valid bytes in the file. `count` is called with the change of that
   * size.
   */
  constructor(layer: Vfs, size: number, count: (bytes: number) => void = () => {}) {
    this.#layer = layer;
    this.#count = count;
    this.#grew(size);
  }

  /** Makes a new, empty log for the same layer. */
  begun(): LayerLog {
    this.#grew(-this.#size);
    return new LayerLog(this.#layer, 0, this.#count);
  }

  /** Appends all lines, or none if it fails. */
  async append(lines: readonly Change[]): Promise<void> {
    if (lines.length === 0) return;
    if (this.#broken !== undefined) throw this.#broken;
    const handle = this.#handle ??= await this.#open();
    const text = lines.map(lineOf).join("");
    await this.#write(handle, this.#size === 0 ? `${HEADER}${text}` : text);
  }

  /**
   * Rewrites the log if it is far longer than necessary: to a temporary file, which replaces it
   * once it is on the disk. If that fails, the old log stays.
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
    // The open handle belongs to the old log.
    await this.close();
  }

  /** Closes the log. */
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
      // A partial line must not become the beginning of the next one.
      await handle.truncate(this.#size).catch((worse) => this.#broken = worse);
      throw error;
    }
  }

  #grew(bytes: number): void {
    this.#size += bytes;
    this.#count(bytes);
  }
}
