import assert from "node:assert/strict";
import { notLinux, optional } from "../../../tests/_optional.ts";
import { hostFs, unnamedFile } from "../../sys/mod.ts";
import { spawnTree } from "../../terminal/mod.ts";
import { bytes, fails, scratchFiles } from "../_testing.ts";
import { allowedVfs, type HostFile, memoryVfs, type Vfs } from "../mod.ts";
import { duplexPair, RawClient } from "./_testing.ts";
import { connect, serve } from "./mod.ts";

/** A folder of the host with a file of 1 MiB, for a program with full access to it. */
async function inFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "llmcmd-kill-" }));
  try {
    await Deno.mkdir(`${folder}/data`);
    await Deno.writeFile(`${folder}/data/in`, new Uint8Array(2 ** 20).fill(120));
    await use(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** The folder's files, and virtual files that are all in temporary files. */
function served(folder: string, scratch: () => Promise<HostFile>): Vfs & AsyncDisposable {
  const entries = [{ path: "data", read: true, write: true }];
  return allowedVfs(hostFs(), { root: folder, entries, memory: 1, scratch });
}

/** Makes temporary files, and calls `then` at their `count`th write. */
function atWrite(
  scratch: () => Promise<HostFile>,
  count: number,
  then: () => void,
): () => Promise<HostFile> {
  return async () => {
    const file = await scratch();
    return {
      ...file,
      write(at, chunk) {
        if (--count === 0) then();
        return file.write(at, chunk);
      },
    };
  };
}

/**
 * Paths of this process's descriptors that are in the folder, or temporary files without a name.
 */
function openFiles(folder: string): string[] {
  return [...Deno.readDirSync("/proc/self/fd")].map(({ name }) => {
    try {
      return Deno.readLinkSync(`/proc/self/fd/${name}`);
    } catch {
      return "";
    }
  }).filter((path) => path.startsWith(folder) || / \(deleted\)$/.test(path));
}

/** Reads a file with 16 requests in flight and writes the data to three others, for ever. */
const PROGRAM = `
import sys, base64, fsproxy_client
files = fsproxy_client.connect()
files.request("hello", chunk=65536, extensions=["replace", "seek"])
source = files.open("data/in")
targets = [files.open(path, "w") for path in ("data/out", "virtual", "folder/virtual")]
targets.append(fsproxy_client.File(files, files.request("open", path="data/new", mode="w", replace=True)["handle"]))
while True:
    reads = [files.send("read", h=source.handle, max=32768) for _ in range(16)]
    for name in reads:
        data = base64.b64decode(files.receive(name)["data"])
        sent = [files.send("write", h=target.handle, data=base64.b64encode(data).decode()) for target in targets]
        for name in sent:
            files.receive(name)
    for file in [source] + targets[:3]:
        files.request("seek", h=file.handle, offset=0)
`;

Deno.test({
  ...optional(
    "serve leaves no file of a program that is killed while it copies",
    "python3",
    notLinux,
  ),
  async fn() {
    await inFolder(async (folder) => {
      const before = openFiles(folder);
      const { resolve, promise: underLoad } = Promise.withResolvers<void>();
      await using files = served(folder, atWrite(unnamedFile, 100, resolve));
      const examples = new URL("../../../examples", import.meta.url).pathname;
      await using tree = await spawnTree(["python3", "-c", PROGRAM], {
        duplex: true,
        env: { PYTHONPATH: examples, PYTHONDONTWRITEBYTECODE: "1" },
      });
      assert(tree.duplex !== undefined);
      const done = serve(files, tree.duplex);
      await Promise.race([
        underLoad,
        tree.status.then(async ({ exitCode }) => {
          throw new Error(`${exitCode}: ${await new Response(tree.stderr).text()}`);
        }),
      ]);
      assert(openFiles(folder).length >= before.length + 5, openFiles(folder).join("\n"));
      await tree.kill();
      const { left, opened, written, problem } = await done;
      assert.deepEqual([left, opened, problem], [5, 5, undefined]);
      assert(written > 0);
      await files[Symbol.asyncDispose]();
      assert.deepEqual(openFiles(folder), before);
      // The temporary file of the replacement is deleted, too.
      const names = [...Deno.readDirSync(`${folder}/data`)].map(({ name }) => name);
      assert.deepEqual(names.sort(), ["in", "out"]);
    });
  },
});

Deno.test("serve leaves nothing open on either side where a proxy between is cut off", async () => {
  const temporary = scratchFiles();
  await inFolder(async (folder) => {
    const cut = new AbortController();
    const scratch = atWrite(() => temporary.scratch(), 20, () => cut.abort());
    await using files = served(folder, scratch);
    const [upper, top] = duplexPair(cut.signal);
    const [lower, bottom] = duplexPair(cut.signal);
    const first = serve(files, top);
    const between = await connect(upper);
    const second = serve(between, bottom);
    const client = await connect(lower);
    const source = await client.open("data/in", "r");
    const targets = await Promise.all([
      client.open("data/out", "w"),
      client.open("virtual", "w"),
    ]);
    const replacement = await client.write("data/new");
    const copy = async (at: number) => {
      for (;;) {
        const into = new Uint8Array(8192);
        const chunk = into.subarray(0, await source.read(at, into));
        await Promise.all([
          ...targets.map((target) => target.write(at, chunk)),
          replacement.write(chunk),
        ]);
      }
    };
    // Pending requests fail, and so do later ones.
    await Promise.all([0, 8192, 16384, 24576].map((at) => fails(copy(at), "EIO")));
    await fails(client.stat("data/in"), "EIO");
    await fails(source.close(), "EIO");
    await assert.rejects(between.request("stat", { path: "data/in" }), { code: "E_IO" });
    const [up, down] = await Promise.all([first, second]);
    assert.deepEqual([up.left, up.opened], [4, 4]);
    assert.deepEqual([down.left, down.opened], [4, 4]);
    await Promise.all([client.close(), between.close()]);
    const names = [...Deno.readDirSync(`${folder}/data`)].map(({ name }) => name);
    assert.deepEqual(names.sort(), ["in", "out"]);
  });
  assert(temporary.made.total > 0);
  assert.equal(temporary.made.open, 0);
});

Deno.test("serve ends on its signal also while all that it works on waits for input", async () => {
  const [near, far] = duplexPair();
  const end = new AbortController();
  const waiting = new Promise<never>(() => {});
  const stdin = Object.assign(Object.create(null), { next: () => waiting });
  const sink = { write: () => Promise.resolve(), close: () => Promise.resolve() };
  const done = serve(memoryVfs({ files: { a: bytes("a") } }), far, {
    stdio: { stdin, stdout: sink, stderr: sink },
    limits: { inFlight: 2 },
    signal: end.signal,
  });
  const client = new RawClient(near);
  for (const id of ["1", "2"]) await client.send({ id, op: "read", params: { h: 0, max: 1 } });
  await client.send({ id: "3", op: "open", params: { path: "a", mode: "r" } });
  end.abort();
  const answers = [await client.receive(), await client.receive(), await client.receive()];
  const message = "the connection has ended";
  assert.deepEqual(answers, [
    { id: "1", ok: false, error: { code: "E_IO", message } },
    { id: "2", ok: false, error: { code: "E_IO", message } },
    undefined,
  ]);
  const { problem, opened } = await done;
  assert.deepEqual([problem, opened], ["it was ended", 0]);
});

Deno.test("serve ends with its client also while all that it works on waits for input", async () => {
  const [near, far] = duplexPair();
  const stdin = Object.assign(Object.create(null), { next: () => new Promise<never>(() => {}) });
  const sink = { write: () => Promise.resolve(), close: () => Promise.resolve() };
  const done = serve(memoryVfs(), far, {
    stdio: { stdin, stdout: sink, stderr: sink },
    limits: { inFlight: 2 },
  });
  const client = new RawClient(near);
  for (const id of ["1", "2"]) await client.send({ id, op: "read", params: { h: 0, max: 1 } });
  await client.end();
  assert.equal((await done).errors, 2);
});
