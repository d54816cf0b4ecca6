import assert from "node:assert/strict";
import { Stage } from "../../builtins/mod.ts";
import { MemorySink, memorySource } from "../../streams/mod.ts";
import { bytes, fails, names, put, textAt, textOf } from "../_testing.ts";
import { VfsError } from "../errors.ts";
import { writeFile } from "../files.ts";
import { type MemoryVfs, memoryVfs } from "../memory_vfs.ts";
import type { Vfs } from "../types.ts";
import { type OverlayCompare, type OverlayVfs, overlayVfs } from "./mod.ts";

const compare: OverlayCompare = ({ before, after, labels: [left, right], signal }) =>
  new Stage("diff", ["-a", "-u", "--label", left, "--label", right, "before", "after"], {
    stdin: memorySource(""),
    signal,
    warn: (message) => assert.fail(message),
    open: (path) => Promise.resolve(path === "before" ? before : after),
  });

async function diffOf(vfs: OverlayVfs): Promise<string> {
  return await new Response(vfs.diff(compare)).text();
}

function changesOf(vfs: OverlayVfs): string[] {
  return vfs.changes().map(({ kind, what, path }) => `${kind} ${what} ${path}`);
}

/** The text of each file by path; folders have none. */
async function all(vfs: Vfs, folder = "."): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for await (const { name, kind } of vfs.list(folder)) {
    const path = folder === "." ? name : `${folder}/${name}`;
    if (kind === "folder") Object.assign(found, { [`${path}/`]: "" }, await all(vfs, path));
    else if (kind === "link") found[path] = `-> ${await vfs.readlink(path)}`;
    else found[path] = await textOf(vfs, path);
  }
  return Object.fromEntries(Object.entries(found).sort(([a], [b]) => a < b ? -1 : 1));
}

/** An overlay in `/w` over some files. Each change advances its clock. */
async function made(
  files: Record<string, string> = { "a": "A\n", "d/b": "B\n", "d/e/c": "C\n" },
): Promise<{ lower: MemoryVfs; layer: MemoryVfs; vfs: OverlayVfs }> {
  let time = 0;
  const lower = memoryVfs({ root: "/w", files, now: () => time += 1000 });
  const layer = memoryVfs();
  return { lower, layer, vfs: await overlayVfs(lower, layer) };
}

Deno.test("overlayVfs leaves the lower files as they are, and a layer that is read again shows the same", async () => {
  const { lower, layer, vfs } = await made();
  const before = await all(lower);
  await put(vfs, "a", "new\n");
  await put(vfs, "d/new", "N\n");
  await vfs.remove("d/b");
  await vfs.rename("d/e", "moved");
  await vfs.mkdir("empty");
  const handle = await vfs.open("moved/c", "a");
  await handle.write("end", bytes("more\n"));
  await handle.close();
  const expected = {
    "a": "new\n",
    "d/": "",
    "d/new": "N\n",
    "empty/": "",
    "moved/": "",
    "moved/c": "C\nmore\n",
  };
  assert.deepEqual(await all(vfs), expected);
  assert.deepEqual(await all(lower), before);
  const again = await overlayVfs(lower, layer);
  assert.deepEqual(await all(again), expected);
  assert.deepEqual(changesOf(again), [
    "changed file /w/a",
    "removed file /w/d/b",
    "removed folder /w/d/e",
    "removed file /w/d/e/c",
    "added file /w/d/new",
    "added folder /w/empty",
    "added folder /w/moved",
    "added file /w/moved/c",
  ]);
  assert.deepEqual(await again.apply(), {
    applied: [
      "/w/a",
      "/w/d/b",
      "/w/d/e",
      "/w/d/e/c",
      "/w/d/new",
      "/w/empty",
      "/w/moved",
      "/w/moved/c",
    ],
    refused: [],
  });
  assert.deepEqual(await all(lower), expected);
  assert.deepEqual(changesOf(again), []);
  assert.deepEqual(await all(layer), { "files/": "" });
});

Deno.test("overlayVfs copies a file with the first write, for all who have it open", async () => {
  const text = "0123456789".repeat(100_000);
  const { lower, layer, vfs } = await made({ long: text });
  const reader = await vfs.open("long", "r");
  const writer = await vfs.open("long", "rw");
  assert.deepEqual(await names(layer, "files"), []);
  await writer.write(999_999, bytes("!?"));
  assert.deepEqual(await names(layer, "files"), ["file 1"]);
  assert.equal(await textAt(reader, 999_990, 20), "012345678!?");
  assert.equal((await reader.stat()).size, 1_000_001);
  await vfs.remove("long");
  await writer.write("end", bytes("."));
  assert.equal(await textAt(reader, 1_000_000, 20), "?.");
  await reader.close();
  await writer.close();
  assert.deepEqual(await names(layer, "files"), []);
  assert.equal(await textOf(lower, "long"), text);
  assert.deepEqual(changesOf(vfs), ["removed file /w/long"]);
});

Deno.test("overlayVfs keeps a lower file for who has it open when its name is given to another", async () => {
  const { layer, vfs } = await made();
  const handle = await vfs.open("a", "rw");
  await put(vfs, "other", "other\n");
  await vfs.rename("other", "a");
  await handle.write(0, bytes("x"));
  assert.equal(await textAt(handle, 0, 10), "x\n");
  assert.equal(await textOf(vfs, "a"), "other\n");
  await handle.close();
  assert.deepEqual(await names(layer, "files"), ["file 1"]);
  const moved = await vfs.open("d/b", "rw");
  await vfs.rename("d", "z");
  await moved.write("end", bytes("+"));
  assert.equal(await textOf(vfs, "z/b"), "B\n+");
  await moved.close();
});

Deno.test("overlayVfs copies once for writes at the same time, and empties without a copy", async () => {
  const { layer, vfs } = await made({ f: "x".repeat(600_000) });
  const handles = await Promise.all(["rw", "rw", "rw"].map(() => vfs.open("f", "rw")));
  await Promise.all(handles.map((handle, at) => handle.write(at, bytes(String(at)))));
  assert.equal((await textOf(vfs, "f")).slice(0, 5), "012xx");
  assert.deepEqual(await names(layer, "files"), ["file 1"]);
  for (const handle of handles) await handle.close();
  const { vfs: other, layer: small } = await made({ f: "x".repeat(600_000) });
  const emptied = await other.open("f", "w");
  assert.equal((await small.stat("files/1")).size, 0);
  await emptied.write(0, bytes("now"));
  await emptied.close();
  assert.equal(await textOf(other, "f"), "now");
});

Deno.test("overlayVfs diffs as git does", async () => {
  const { lower, vfs } = await made({
    "a b": "1\n2\n",
    "gone": "G\n",
    "same": "S\n",
    "bin": "\0one",
    "late": "no newline",
    "x\ty": "Q\n",
  });
  await writeFile(lower, "run", bytes("#!\n"), { mode: 0o755 });
  assert.equal(await diffOf(vfs), "");
  await put(vfs, "a b", "1\nzwei\n");
  await vfs.remove("gone");
  await put(vfs, "same", "S\n");
  await put(vfs, "bin", "\0two");
  await put(vfs, "late", "no newline!");
  await put(vfs, "empty", "");
  await vfs.mkdir("folder");
  await vfs.remove("run");
  await put(vfs, "run", "#!\n");
  await put(vfs, "x\ty", "q\n");
  assert.equal(
    await diffOf(vfs),
    `diff --git a/a b b/a b
--- a/a b\t
+++ b/a b\t
@@ -1,2 +1,2 @@
 1
-2
+zwei
diff --git a/bin b/bin
Binary files a/bin and b/bin differ
diff --git a/empty b/empty
new file mode 100644
diff --git a/gone b/gone
deleted file mode 100644
--- a/gone
+++ /dev/null
@@ -1 +0,0 @@
-G
diff --git a/late b/late
--- a/late
+++ b/late
@@ -1 +1 @@
-no newline
\\ No newline at end of file
+no newline!
\\ No newline at end of file
diff --git a/run b/run
old mode 100755
new mode 100644
diff --git "a/x\\ty" "b/x\\ty"
--- "a/x\\ty"
+++ "b/x\\ty"
@@ -1 +1 @@
-Q
+q
`,
  );
  assert.deepEqual((await vfs.apply()).refused, []);
  assert.equal((await lower.stat("run")).mode, 0o644);
});

Deno.test("overlayVfs refuses to apply what has changed below, and what needs it", async () => {
  const files = { a: "A", b: "B", c: "C", "d/x": "X", "e/y": "Y", f: "F", g: "G" };
  const { lower, layer, vfs } = await made(files);
  await put(vfs, "a", "mine");
  await put(vfs, "b", "mine");
  await vfs.rename("c", "moved");
  await vfs.remove("d", { recursive: true });
  await vfs.remove("e", { recursive: true });
  await vfs.mkdir("new");
  await put(vfs, "new/deep", "deep");
  await vfs.remove("f");
  await put(vfs, "g", "same");
  // The lower files change in the meantime:
  await put(lower, "a", "theirs");
  await put(lower, "moved", "theirs");
  await put(lower, "d/later", "theirs");
  await put(lower, "new", "theirs");
  await lower.remove("f");
  await put(lower, "g", "same");
  const { applied, refused } = await vfs.apply();
  assert.deepEqual(applied, ["/w/b", "/w/d/x", "/w/e", "/w/e/y", "/w/f", "/w/g"]);
  assert.deepEqual(refused, [
    { path: "/w/a", why: "it has changed meanwhile" },
    { path: "/w/c", why: "/w/moved was moved from it, and is refused" },
    { path: "/w/d", why: "the folder is not empty" },
    { path: "/w/moved", why: "it has been made meanwhile" },
    { path: "/w/new", why: "it has been made meanwhile" },
    { path: "/w/new/deep", why: "/w/new is refused" },
  ]);
  const rest = {
    ...{ a: "theirs", b: "mine", c: "C", "d/": "", "d/later": "theirs", g: "same" },
    ...{ moved: "theirs", new: "theirs" },
  };
  assert.deepEqual(await all(lower), rest);
  // Refused changes are still in the layer, also when it is opened again.
  const again = await overlayVfs(lower, layer);
  assert.deepEqual(changesOf(again), [
    "changed file /w/a",
    "removed file /w/c",
    "removed folder /w/d",
    "added file /w/moved",
    "added folder /w/new",
    "added file /w/new/deep",
  ]);
  assert.equal(await textOf(again, "new/deep"), "deep");
  assert.deepEqual((await again.apply()).applied, []);
  await again.discard();
  assert.deepEqual(await all(again), rest);
  assert.deepEqual(await all(lower), rest);
});

Deno.test("overlayVfs applies moves in circles, links, and files in place of folders", async () => {
  const { lower, vfs } = await made({
    ...{ a: "A", b: "B", c: "C", "d/x": "X", "d/y/z": "Z", f: "F" },
  });
  await lower.symlink("a", "l");
  await lower.symlink("nowhere", "m");
  await vfs.rename("a", "t");
  await vfs.rename("b", "a");
  await vfs.rename("t", "b");
  await vfs.rename("l", "d/l");
  await vfs.rename("m", "l");
  await vfs.rename("d/y", "y");
  await vfs.remove("d", { recursive: true });
  await put(vfs, "d", "file");
  await vfs.remove("f");
  await vfs.mkdir("f");
  await vfs.rename("c", "f/c");
  const expected = {
    ...{ a: "B", b: "A", d: "file", "f/": "", "f/c": "C", l: "-> nowhere" },
    ...{ "y/": "", "y/z": "Z" },
  };
  assert.deepEqual(await all(vfs), expected);
  assert.deepEqual((await vfs.apply()).refused, []);
  assert.deepEqual(await all(lower), expected);
});

Deno.test("overlayVfs applies what is in a folder that was a link to its own place", async () => {
  const files = { "other/b/c/kept": "kept", "old/secret": "S" };
  const lower = memoryVfs({ root: "/w", files });
  await lower.symlink("other", "link");
  await lower.mkdir("private", { mode: 0o700 });
  await lower.mkdir("private/deep");
  await put(lower, "private/deep/f", "F");
  const vfs = await overlayVfs(lower, memoryVfs());
  await vfs.remove("link");
  await vfs.mkdir("link/b/c", { parents: true });
  await vfs.mkdir("link/b/new");
  await put(vfs, "link/b/f", "F");
  await put(vfs, "link/b/c/g", "G");
  await vfs.rename("old/secret", "link/b/c/secret");
  // The moved folder keeps its mode, although something in it was changed before.
  await put(vfs, "private/deep/f", "changed");
  await vfs.rename("private", "moved");
  assert.equal((await vfs.stat("moved")).mode, 0o700);
  assert.deepEqual((await vfs.apply()).refused, []);
  const names = async (path: string) =>
    (await Array.fromAsync(lower.list(path), ({ name }) => name)).sort();
  assert.deepEqual(await names("link/b"), ["c", "f", "new"]);
  assert.deepEqual(await names("link/b/c"), ["g", "secret"]);
  assert.deepEqual([await names("other/b"), await names("other/b/c")], [["c"], ["kept"]]);
  assert.equal((await lower.lstat("link")).kind, "folder");
  assert.deepEqual([(await lower.stat("moved")).mode, (await lower.stat("moved/deep")).mode], [
    0o700,
    0o755,
  ]);
});

Deno.test("overlayVfs goes on after a program was killed while it wrote a line or applied", async () => {
  const { lower, layer, vfs } = await made();
  await put(vfs, "a", "new\n");
  await put(vfs, "x", "X\n");
  const log = await layer.open("layer.ndjson", "a");
  await log.write("end", bytes('{"file":"/w/y","cont'));
  await log.close();
  const again = await overlayVfs(lower, layer);
  assert.deepEqual(changesOf(again), ["changed file /w/a", "added file /w/x"]);
  await put(again, "y", "Y\n");
  // As if a kill came after the file took its place and before that was recorded.
  await put(lower, "x", "X\n");
  const third = await overlayVfs(lower, layer);
  assert.deepEqual(await third.apply(), { applied: ["/w/a", "/w/x", "/w/y"], refused: [] });
  assert.equal(await textOf(lower, "y"), "Y\n");
});

Deno.test("overlayVfs does nothing that it can't note, and goes on when it can", async () => {
  const { lower } = await made();
  const files = memoryVfs();
  let full = false;
  const layer: Vfs = {
    ...{ root: files.root, stat: (path) => files.stat(path), lstat: (path) => files.lstat(path) },
    ...{ read: (path) => files.read(path), write: (path) => files.write(path) },
    ...{ mkdir: (path, options) => files.mkdir(path, options), list: (path) => files.list(path) },
    ...{ remove: (path, options) => files.remove(path, options) },
    ...{ rename: (from, to) => files.rename(from, to), readlink: (path) => files.readlink(path) },
    realpath: (path) => files.realpath(path),
    async open(path, mode) {
      const handle = await files.open(path, mode);
      return {
        ...{ info: handle.info, mode, stat: () => handle.stat(), close: () => handle.close() },
        ...{ read: (at, into) => handle.read(at, into), truncate: (size) => handle.truncate(size) },
        async write(at, chunk) {
          await handle.write(at, full ? chunk.subarray(0, 5) : chunk);
          if (full) throw new VfsError("ENOSPC", path, "write");
        },
      };
    },
  };
  const vfs = await overlayVfs(lower, layer);
  await put(vfs, "a", "new");
  full = true;
  await fails(vfs.remove("d/b"), "ENOSPC");
  await fails(vfs.rename("d", "z"), "ENOSPC");
  await fails(vfs.open("made", "w"), "ENOSPC");
  const handle = await vfs.open("d/b", "a");
  await fails(handle.write(0, bytes("more")), "ENOSPC");
  assert.equal(await textOf(vfs, "d/b"), "B\n");
  full = false;
  await handle.write(0, bytes("more"));
  await handle.close();
  await vfs.rename("d", "z");
  const expected = { "a": "new", "z/": "", "z/b": "B\nmore", "z/e/": "", "z/e/c": "C\n" };
  assert.deepEqual(await all(vfs), expected);
  assert.deepEqual(await all(await overlayVfs(lower, layer)), expected);
});

Deno.test("overlayVfs says what is no layer", async () => {
  const { lower } = await made();
  for (const text of ['{"layer":2}\n', "hello\n", '{"layer":1}\n{"file":"a","content":"1"}\n']) {
    await fails(overlayVfs(lower, memoryVfs({ files: { "layer.ndjson": text } })), "EIO");
  }
});

Deno.test("overlayVfs stops an apply when it is told to, with the rest still in the layer", async () => {
  const { lower, vfs } = await made();
  await put(vfs, "a", "new");
  const abort = AbortSignal.abort(new Error("enough"));
  await assert.rejects(vfs.apply({ signal: abort }), /enough/);
  assert.equal(await textOf(lower, "a"), "A\n");
  assert.deepEqual(changesOf(vfs), ["changed file /w/a"]);
  const sink = new MemorySink();
  await assert.rejects(async () => {
    for await (const chunk of vfs.diff(compare, { signal: abort })) await sink.write(chunk);
  }, /enough/);
});
