import assert from "node:assert/strict";
import { MemorySink } from "../../../streams/mod.ts";
import { type FileStream, runBuiltin, type RunBuiltinIo } from "../../run/run_builtin.ts";
import { transform, type TransformOptions } from "../../run/transform.ts";

const created = "diff --git a/n/x b/n/x\nnew file mode 100755\n--- /dev/null\n+++ b/n/x\n" +
  "@@ -0,0 +1 @@\n+one\n";
const removed = "--- a/n/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n";

/** Files in memory, with ports as methods that use `this`. */
class Disk {
  readonly files = new Map<string, MemorySink>();
  readonly modes = new Map<string, number>();
  readonly folders = new Set<string>();

  open(path: string): Promise<never> {
    const code = this.folders.has(path) ? "EISDIR" : "ENOENT";
    return Promise.reject(Object.assign(new Error(path), { code }));
  }

  create(path: string): Promise<MemorySink> {
    const folder = path.slice(0, Math.max(0, path.lastIndexOf("/")));
    if (folder !== "" && !this.folders.has(folder)) {
      return Promise.reject(Object.assign(new Error(path), { code: "ENOENT" }));
    }
    const sink = new MemorySink();
    this.files.set(path, sink);
    return Promise.resolve(sink);
  }

  mkdir(path: string): Promise<void> {
    this.folders.add(path);
    return Promise.resolve();
  }

  chmod(path: string, mode: number): Promise<void> {
    this.modes.set(path, mode);
    return Promise.resolve();
  }
}

Deno.test("patch makes folders and sets modes through the ports of a transform, which may be methods", async () => {
  const disk = new Disk();
  const options: TransformOptions = disk;
  const patch = transform("patch", ["-p1"], options);
  const said = new Response(new Response(created).body?.pipeThrough(patch)).text();
  assert.equal(await said, "patching file n/x\n");
  assert.equal(await patch.status, 0);
  assert.deepEqual([...disk.folders], ["n"]);
  assert.deepEqual([...disk.modes], [["n/x", 0o755]]);
  assert.equal(new TextDecoder().decode(disk.files.get("n/x")?.bytes()), "one\n");
});

Deno.test("patch makes and removes folders through the ports of runBuiltin", async () => {
  const root = await Deno.makeTempDir();
  const run = async (patch: string): Promise<number> => {
    const sink = (): WritableStream<Uint8Array> => new WritableStream();
    return await runBuiltin(["patch", "-p1", "-s"], {
      stdin: new Response(patch).body ?? new ReadableStream(),
      stdout: sink(),
      stderr: sink(),
      open: async (path, mode) => {
        const write = mode !== "r";
        const file = await Deno.open(`${root}/${path}`, {
          read: !write,
          write,
          create: write,
          truncate: mode === "w",
          append: mode === "a",
        });
        return write ? file.writable : file.readable;
      },
      remove: (path) => Deno.remove(`${root}/${path}`),
      mkdir: (path) => Deno.mkdir(`${root}/${path}`),
      rmdir: (path) => Deno.remove(`${root}/${path}`),
      chmod: (path, mode) => Deno.chmod(`${root}/${path}`, mode),
    });
  };
  try {
    assert.equal(await run(created), 0);
    assert.equal(await Deno.readTextFile(`${root}/n/x`), "one\n");
    assert.equal(((await Deno.stat(`${root}/n/x`)).mode ?? 0) & 0o777, 0o755);
    assert.equal(await run(removed), 0);
    assert.deepEqual([...Deno.readDirSync(root)], []);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

/** The streams and ports of a run, with methods that use `this`. */
class Run implements RunBuiltinIo {
  readonly disk = new Disk();
  readonly stdin: ReadableStream<Uint8Array> = new Response(created).body ?? new ReadableStream();
  readonly stdout: WritableStream<Uint8Array> = new WritableStream();
  readonly stderr: WritableStream<Uint8Array> = new WritableStream();

  async open(path: string, mode: "r" | "w" | "a"): Promise<FileStream> {
    if (mode === "r") return await this.disk.open(path);
    const sink = await this.disk.create(path);
    return new WritableStream({ write: (chunk) => sink.write(new Uint8Array(chunk)) });
  }

  mkdir(path: string): Promise<void> {
    return this.disk.mkdir(path);
  }

  chmod(path: string, mode: number): Promise<void> {
    return this.disk.chmod(path, mode);
  }
}

Deno.test("runBuiltin takes ports that are methods", async () => {
  const io = new Run();
  assert.equal(await runBuiltin(["patch", "-p1"], io), 0);
  assert.deepEqual([...io.disk.folders], ["n"]);
  assert.deepEqual([...io.disk.modes], [["n/x", 0o755]]);
  assert.equal(io.disk.files.get("n/x")?.text(), "one\n");
});
