import assert from "node:assert/strict";
import { OutputCapture } from "./_output_capture.ts";

const LIMITS = { lines: 4, bytes: 20, fileBytes: 1000 };

/**
 * Feeds text in pieces of a size; returns the result and the contents of the file, if there is one.
 */
async function capture(
  data: string | Uint8Array<ArrayBuffer>,
  size: number,
  limits: Partial<typeof LIMITS> = {},
) {
  const path = await Deno.makeTempFile();
  try {
    const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
    const out = new OutputCapture({ ...LIMITS, ...limits }, () => Promise.resolve(path));
    for (let at = 0; at < bytes.length; at += size) await out.add(bytes.slice(at, at + size));
    await out.close();
    const { text, truncated } = out.result();
    return { text, truncated, file: await Deno.readTextFile(path), path };
  } finally {
    await Deno.remove(path);
  }
}

const SIZES = [1, 2, 3, 7, 19, 20, 21, 100, 5000];

Deno.test("OutputCapture keeps output within the limits whole, and makes no file", async () => {
  for (const size of SIZES) {
    for (
      const data of ["", "a", "a\nb\nc\nd\n", "a\nb\nc\nd", "12345678901234567890", "\n\n\n\n"]
    ) {
      const { text, truncated, file } = await capture(data, size);
      assert.deepEqual([text, truncated, file], [data, undefined, ""], `${size} ${data}`);
    }
  }
});

Deno.test("OutputCapture shows the last lines, the whole is in the file", async () => {
  for (const size of SIZES) {
    const data = "one\ntwo\nthree\nfour\nfive\nsix";
    const { text, truncated, file, path } = await capture(data, size);
    assert.equal(text, "four\nfive\nsix".length <= 20 ? "three\nfour\nfive\nsix" : "", `${size}`);
    assert.equal(file, data);
    assert.deepEqual(truncated, {
      lines: 6,
      bytes: 27,
      shownLines: 4,
      shownBytes: 19,
      path,
      note: undefined,
    });
  }
});

Deno.test("OutputCapture begins at a line, in one long line at a character", async () => {
  for (const size of SIZES) {
    const lines = await capture(`${"x".repeat(30)}\nsecond\nthird\n`, size);
    assert.equal(lines.text, "second\nthird\n", `${size}`);
    const long = await capture("\u20ac".repeat(30), size);
    assert.equal(long.text, "\u20ac".repeat(6), `${size}`);
    assert.equal(long.file, "\u20ac".repeat(30));
    const ended = await capture(`${"x".repeat(30)}\n`, size);
    assert.equal(ended.text, `${"x".repeat(19)}\n`, `${size}`);
  }
});

Deno.test("OutputCapture replaces what is not UTF-8 and keeps a byte order mark", async () => {
  const { text } = await capture(new Uint8Array([0x61, 0xff, 0xfe, 0x62, 0xe2, 0x82]), 1);
  assert.equal(text, "a\ufffd\ufffdb\ufffd");
  assert.equal((await capture("\ufeffa", 1)).text, "\ufeffa");
});

Deno.test("OutputCapture stops the file at its limit and says so", async () => {
  for (const size of SIZES) {
    const { text, truncated, file } = await capture("0123456789\n".repeat(10), size, {
      fileBytes: 50,
    });
    assert.equal(file, "0123456789\n".repeat(10).slice(0, 50), `${size}`);
    assert.equal(text, "0123456789\n");
    assert.equal(truncated?.note, "The file ends after 50 bytes, the limit of output files");
    assert.equal(truncated?.bytes, 110);
  }
});

Deno.test("OutputCapture goes on without a file that can't be written", async () => {
  const out = new OutputCapture(LIMITS, () => Promise.resolve("/no/such/folder/file"));
  await out.add(new TextEncoder().encode("0123456789\n".repeat(3)));
  assert.equal(await out.openFile(), undefined);
  await out.close();
  const { text, truncated } = out.result();
  assert.equal(text, "0123456789\n");
  assert.equal(truncated?.path, undefined);
  assert.match(truncated?.note ?? "", /^Cannot write \/no\/such\/folder\/file: /);
});

Deno.test("OutputCapture.openFile puts in what there was, and works after the end too", async () => {
  const path = await Deno.makeTempFile();
  try {
    const out = new OutputCapture(LIMITS, () => Promise.resolve(path));
    await out.add(new TextEncoder().encode("before\n"));
    assert.equal(await out.openFile(), path);
    await out.add(new TextEncoder().encode("after\n"));
    await out.close();
    assert.equal(await Deno.readTextFile(path), "before\nafter\n");
    assert.equal(await out.openFile(), path);
    const late = new OutputCapture(LIMITS, () => Promise.resolve(path));
    await late.add(new TextEncoder().encode("all\n"));
    await late.close();
    assert.equal(await late.openFile(), path);
    assert.equal(await Deno.readTextFile(path), "all\n");
  } finally {
    await Deno.remove(path);
  }
});
