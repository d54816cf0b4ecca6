import assert from "node:assert/strict";
import { type Chunk, randomAccessSource } from "../streams/mod.ts";
import { memoryVfs, type Vfs, type VfsFile, writeFile } from "../vfs/mod.ts";
import { callTool, FakeRunner } from "./_testing.ts";
import { coderTools } from "./tools.ts";

const runner = new FakeRunner();
const MEGABYTE = 1_000_000;

/** A Vfs with one large file, whose bytes are made when they are read. */
class LargeFile {
  readonly vfs: Vfs;
  /** The byte after the last that was read, and the largest block. */
  end = 0;
  block = 0;
  closed = 0;
  readonly #size: number;
  readonly #byteAt: (offset: number) => number;

  constructor(size: number, byteAt: (offset: number) => number) {
    this.#size = size;
    this.#byteAt = byteAt;
    this.vfs = Object.assign(memoryVfs(), { read: () => Promise.resolve(this.#open()) });
  }

  #open(): VfsFile {
    const at = {
      size: this.#size,
      read: (offset: number, into: Chunk) => this.#read(offset, into),
    };
    const info = { kind: "file", size: this.#size } as const;
    const close = () => {
      this.closed++;
    };
    return Object.assign(randomAccessSource(at, { close }), { at, info });
  }

  #read(offset: number, into: Chunk): Promise<number> {
    const count = Math.max(0, Math.min(into.length, this.#size - offset));
    for (let index = 0; index < count; index++) into[index] = this.#byteAt(offset + index);
    this.end = Math.max(this.end, offset + count);
    this.block = Math.max(this.block, into.length);
    return Promise.resolve(count);
  }
}

/** Lines of ten bytes, which are their numbers. */
const numbered = (offset: number) => {
  const column = offset % 10;
  if (column === 9) return 10;
  return 48 + Math.floor((Math.floor(offset / 10) + 1) / 10 ** (8 - column)) % 10;
};

Deno.test("read_file reads a file of 100 MB by lines, no further than these and a block at a time", async () => {
  const large = new LargeFile(100 * MEGABYTE, numbered);
  const tools = coderTools({ vfs: large.vfs, runner });
  assert.deepEqual(await callTool(tools, "read_file", { path: "f", offset: "20000", limit: "2" }), {
    content: "000020000\n000020001\n\n" +
      "[Lines 20000-20001 of a file of 95.4 MiB; to read on, use offset 20002]",
    details: { path: "f", from: 20_000, to: 20_001, more: true },
  });
  assert(large.end < 4 * MEGABYTE, `${large.end} bytes were read`);
  assert(large.block <= 1024 * 1024);
  assert.equal(large.closed, 1);
});

Deno.test("read_file says where a large file ends", async () => {
  const large = new LargeFile(2 * MEGABYTE, numbered);
  const tools = coderTools({ vfs: large.vfs, runner, limits: { fileBytes: MEGABYTE } });
  const last = await callTool(tools, "read_file", { path: "f", offset: 199_999, limit: 5 });
  assert.deepEqual(last, {
    content: "000199999\n000200000\n",
    details: { path: "f", from: 199_999, to: 200_000, lines: 200_000, more: false },
  });
  const beyond = await callTool(tools, "read_file", { path: "f", offset: 200_001 });
  assert.equal(
    beyond.content,
    "read_file: There is no line 200001 in f: it has 200000 lines",
  );
});

Deno.test("read_file reads the beginning of a large file that has one line", async () => {
  const large = new LargeFile(100 * MEGABYTE, () => 120);
  const tools = coderTools({ vfs: large.vfs, runner, limits: { readBytes: 10 } });
  const { content, details } = await callTool(tools, "read_file", { path: "f" });
  assert.match(
    content,
    /^x{10}\n\n\[Line 1 has more than \d+ bytes, of which 10 are shown; .* Lines 1-1 of a file of 95/,
  );
  assert.deepEqual(details, { path: "f", from: 1, to: 1, more: true });
  assert(large.end < 3 * MEGABYTE, `${large.end} bytes were read`);
});

Deno.test("read_file stops when the turn does", async () => {
  const stop = new AbortController();
  const large = new LargeFile(100 * MEGABYTE, (offset) => {
    if (offset === 2 * MEGABYTE) stop.abort(new Error("stopped"));
    return 10;
  });
  const tools = coderTools({ vfs: large.vfs, runner });
  const read = callTool(tools, "read_file", { path: "f", offset: 9e7 }, stop.signal);
  await assert.rejects(read, /stopped/);
  assert(large.end < 6 * MEGABYTE, `${large.end} bytes were read`);
  assert.equal(large.closed, 1);
});

Deno.test("read_file gives lines of UTF-16 by number, and cuts one that is too long", async () => {
  const vfs = memoryVfs();
  const put = (text: string) => {
    const units = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
    const bytes = units.flatMap((unit) => [unit >> 8, unit & 255]);
    return writeFile(vfs, "f", Uint8Array.from([0xfe, 0xff, ...bytes]));
  };
  const tools = coderTools({ vfs, runner, limits: { readBytes: 10 } });
  const read = async (input: object) =>
    (await callTool(tools, "read_file", { path: "f", ...input })).content;
  const note = "The file is UTF-16BE with a byte order mark, and stays so when it is changed";
  await put("\u0a0a\n\u000ab\nc\n");
  assert.equal(
    await read({ offset: 3, limit: 1 }),
    `b\n\n[${note}. Lines 3-3 of 4; to read on, use offset 4]`,
  );
  await put("abc\u20ac\u{1f41f}e\n");
  assert.equal(
    await read({}),
    `abc\u20ac\n\n[${note}. Line 1 has 18 bytes, of which 10 are shown; for the rest use bash: iconv ` +
      "-f UTF-16 -t UTF-8 FILE | sed -n 1p | cut -b 7-]",
  );
});

Deno.test("read_file gives lines that end in CR by number", async () => {
  const vfs = memoryVfs({ files: { f: "a\rb\rc" } });
  const { content } = await callTool(coderTools({ vfs, runner }), "read_file", {
    path: "f",
    offset: 2,
    limit: 1,
  });
  assert.equal(
    content,
    "b\r\n[Its lines end in CR alone; write LF, and edits keep that. " +
      "Lines 2-2 of 3; to read on, use offset 3]",
  );
});
