import assert from "node:assert/strict";
import { TurnGuard } from "../streams/mod.ts";
import { openInputFile } from "./file_source.ts";

async function withFile(
  contents: Uint8Array,
  test: (path: string) => Promise<void>,
): Promise<void> {
  const path = await Deno.makeTempFile();
  try {
    await Deno.writeFile(path, contents);
    await test(path);
  } finally {
    await Deno.remove(path);
  }
}

function pattern(length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, i) => i * 7 + (i >> 8));
}

Deno.test("openInputFile reads blocks that grow from 64 KiB to 1 MiB", () =>
  withFile(pattern(5_000_000), async (path) => {
    const file = await openInputFile(path);
    assert.equal(file.size, 5_000_000);
    const sizes: number[] = [];
    const all: number[] = [];
    for await (const chunk of file) {
      sizes.push(chunk.length);
      all.push(chunk[0] as number);
    }
    assert.deepEqual(sizes.slice(0, 4), [65_536, 262_144, 1_048_576, 1_048_576]);
    assert.equal(sizes.reduce((a, b) => a + b), 5_000_000);
    assert.equal(all[1], pattern(65_537)[65_536]);
  }));

Deno.test("openInputFile serves several readers at once, each from its own position", () =>
  withFile(pattern(300_000), async (path) => {
    const file = await openInputFile(path);
    const expected = pattern(300_000);
    const at = file.at;
    assert.ok(at !== undefined);
    const slices = await Promise.all(
      [0, 200_000, 100, 299_990, 100].map(async (offset) => {
        const into = new Uint8Array(1000);
        return { offset, bytes: into.subarray(0, await at.read(offset, into)) };
      }),
    );
    for (const { offset, bytes } of slices) {
      assert.deepEqual(bytes, expected.subarray(offset, offset + 1000));
    }
    assert.equal(await at.read(300_000, new Uint8Array(10)), 0);
    const first = await file.next();
    assert.deepEqual(first.value, expected.subarray(0, 65_536));
    await file.return();
  }));

Deno.test("openInputFile gives an empty file no chunk", () =>
  withFile(new Uint8Array(), async (path) => {
    const file = await openInputFile(path);
    assert.equal(file.size, 0);
    assert.deepEqual(await file.next(), { done: true, value: undefined });
  }));

Deno.test("openInputFile says why a file can't be read", async () => {
  await assert.rejects(openInputFile("/nowhere/\u8868"), {
    name: "FileError",
    message: "Cannot read /nowhere/\u8868: no such file or folder",
  });
  await assert.rejects(openInputFile("/tmp"), {
    name: "FileError",
    message: "Cannot read /tmp: it is a folder",
  });
});

Deno.test("openInputFile reads a FIFO as a stream, and return settles a pending read", async () => {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/fifo`;
  await new Deno.Command("mkfifo", { args: [path] }).output();
  const writing = Deno.open(path, { write: true });
  const fifo = await openInputFile(path);
  const writer = await writing;
  assert.equal(fifo.at, undefined);
  assert.equal(fifo.size, undefined);
  await writer.write(new TextEncoder().encode("abc"));
  assert.equal(new TextDecoder().decode((await fifo.next()).value ?? undefined), "abc");
  const pending = fifo.next();
  await fifo.return();
  assert.deepEqual(await pending, { done: true, value: undefined });
  writer.close();
  await Deno.remove(folder, { recursive: true });
});

Deno.test("openInputFile stops waiting for a FIFO's writer when the signal fires", async () => {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/fifo`;
  await new Deno.Command("mkfifo", { args: [path] }).output();
  const end = new AbortController();
  const opening = openInputFile(path, end.signal);
  end.abort(new RangeError("too late"));
  await assert.rejects(opening, { name: "RangeError", message: "too late" });
  // The open that still waits in a thread of the runtime finishes now, and its file is closed: then
  // writing fails.
  const writer = await Deno.open(path, { write: true });
  await assert.rejects(async () => {
    for (;;) {
      await writer.write(new Uint8Array(1));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }, Deno.errors.BrokenPipe);
  writer.close();
  await Deno.remove(folder, { recursive: true });
});

Deno.test("openInputFile lets timers run while a stream without end is read", async () => {
  const file = await openInputFile("/dev/zero");
  let rang = false;
  const timer = setTimeout(() => rang = true, 5);
  const guard = new TurnGuard();
  for await (const _ of file) {
    const turn = guard.tick();
    if (turn !== undefined) await turn;
    if (rang) break;
  }
  clearTimeout(timer);
  assert.equal(rang, true);
});
