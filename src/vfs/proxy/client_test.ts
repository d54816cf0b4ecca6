import assert from "node:assert/strict";
import { VfsError } from "../errors.ts";
import { duplexPair } from "./_testing.ts";
import { memoryVfs } from "../memory_vfs.ts";
import { connect } from "./client.ts";
import { EXTENSIONS } from "./protocol.ts";
import { serve } from "./server.ts";
import { FrameReader } from "./frames.ts";

/** Reads 4096 bytes from a server whose answer to `read` has `contents` as its result. */
async function readOf(contents: string): Promise<Uint8Array> {
  const [near, far] = duplexPair();
  const reader = new FrameReader(far.readable);
  const writer = far.writable.getWriter();
  const serving = (async () => {
    for (const result of ['{"handle":3}', contents]) {
      const request = await reader.next(65_536);
      if (request === undefined) return;
      const { id } = JSON.parse(new TextDecoder().decode(request));
      const text = new TextEncoder().encode(`{"id":"${id}","ok":true,"result":${result}}`);
      const frame = new Uint8Array(4 + text.length);
      new DataView(frame.buffer).setUint32(0, text.length);
      frame.set(text, 4);
      await writer.write(frame);
    }
    while (await reader.next(65_536) !== undefined);
    // The client may have closed the connection before.
    await writer.close().catch(() => {});
  })();
  const client = await connect(near, { extensions: [] });
  try {
    const file = await client.open("a", "r");
    const into = new Uint8Array(4096);
    return into.subarray(0, await file.read(0, into));
  } finally {
    await client.close();
    await serving;
  }
}

const bytes = Uint8Array.from({ length: 4096 }, (_, index) => index * 7 % 256);
const data = btoa(String.fromCharCode(...bytes));

Deno.test("connect reads contents however the server writes its JSON", async () => {
  for (
    const contents of [
      `{"data":"${data}","eof":false}`,
      `{"data":"${data.replaceAll("/", "\\/")}","eof":false}`,
      `{"data":"\\u${data.charCodeAt(0).toString(16).padStart(4, "0")}${
        data.slice(1)
      }","eof":false}`,
      `{"data": "${data}", "eof": false}`,
      `{"eof":false,"data":"${data}"}`,
      `{"data":"${data}","note":"x","eof":false}`,
    ]
  ) assert.deepEqual(await readOf(contents), bytes, contents.slice(0, 40));
});

Deno.test("connect refuses contents that are none, or more than was asked for", async () => {
  for (const wrong of [`!${data.slice(1)}`, ` ${data}`, `${data}AAAA`, data.slice(1), `${data}"`]) {
    const contents = `{"data":"${wrong}","eof":false}`;
    await assert.rejects(readOf(contents), (error) => {
      return error instanceof VfsError && error.code === "EIO";
    }, wrong.slice(-8));
  }
});

Deno.test("connect reads to the end, one read after the other or all at once, without seek", async () => {
  for (const together of [false, true]) {
    const [near, far] = duplexPair();
    const served = serve(memoryVfs({ files: { a: bytes } }), far);
    const client = await connect(near, { extensions: [] });
    const file = await client.open("a", "r");
    const reads: (() => Promise<number>)[] = [0, 1500, 3000, 4096]
      .map((at) => () => file.read(at, new Uint8Array(1500)));
    const counts: number[] = [];
    if (together) {
      // The last read begins where the one before would end if it got all its bytes.
      reads[3] = () => file.read(4500, new Uint8Array(1500));
      counts.push(...await Promise.all(reads.map((read) => read())));
    } else {
      for (const read of reads) counts.push(await read());
    }
    assert.deepEqual(counts, [1500, 1500, 1096, 0], `together ${together}`);
    assert.equal(await file.read(4096, new Uint8Array(10)), 0);
    await client.close();
    await served;
  }
});

Deno.test("connect reads again what an earlier read of the same file has moved", async () => {
  const vfs = memoryVfs({ files: { a: "abcdefgh" } });
  const open = vfs.open.bind(vfs);
  let short = true;
  // The file seems to end after two bytes, and then grows.
  vfs.open = async (path, mode) => {
    const file = await open(path, mode);
    const read = file.read.bind(file);
    file.read = (at, into) => {
      const part = short ? into.subarray(0, 2) : into;
      short = false;
      return read(at, part);
    };
    return file;
  };
  const [near, far] = duplexPair();
  const served = serve(vfs, far);
  const client = await connect(near, { extensions: EXTENSIONS });
  const file = await client.open("a", "r");
  const [first, second] = [new Uint8Array(4), new Uint8Array(4)];
  assert.deepEqual(await Promise.all([file.read(0, first), file.read(4, second)]), [2, 4]);
  assert.equal(new TextDecoder().decode(second), "efgh");
  await client.close();
  await served;
});
