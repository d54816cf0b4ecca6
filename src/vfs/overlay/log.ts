import * as z from "zod";
import { joinBytes } from "../../base/mod.ts";
import { isMissing, VfsError } from "../errors.ts";
import type { Vfs, VfsHandle } from "../types.ts";
import { folder, type LayerTree, leaf } from "./tree.ts";

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
    tree.put(line.folder, folder(line.through, line.mode));
  } else if ("gone" in line) {
    tree.remove(line.gone);
  } else if ("rename" in line) {
    tree.rename(line.rename, line.to);
  } else {
    tree.drop(line.applied);
  }
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

/** The log of a layer that is being written. */
export class LayerLog {
  readonly #layer: Vfs;
  #handle: VfsHandle | undefined;
  #size: number;
  #broken: unknown;

  /** `size`: the bytes that count, of those that are there. */
  constructor(layer: Vfs, size: number) {
    this.#layer = layer;
    this.#size = size;
  }

  /** Adds lines: all of them, or none where it fails. */
  async append(lines: readonly Change[]): Promise<void> {
    if (lines.length === 0) return;
    if (this.#broken !== undefined) throw this.#broken;
    const handle = this.#handle ??= await this.#open();
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
    await this.#write(handle, this.#size === 0 ? `${JSON.stringify({ layer: 1 })}\n${text}` : text);
  }

  /** Closes it. */
  async close(): Promise<void> {
    await this.#handle?.close();
    this.#handle = undefined;
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
    const bytes = new TextEncoder().encode(text);
    try {
      await handle.write("end", bytes);
      this.#size += bytes.length;
    } catch (error) {
      // A part of it must not become the beginning of the next line.
      await handle.truncate(this.#size).catch((worse) => this.#broken = worse);
      throw error;
    }
  }
}
