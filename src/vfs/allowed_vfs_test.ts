import assert from "node:assert/strict";
import { notLinux, optional } from "../../tests/_optional.ts";
import { hostFs, unnamedFile } from "../sys/mod.ts";
import { bytes, fails, names, put, scratchFiles, textAt, textOf } from "./_testing.ts";
import { type AllowedVfs, allowedVfs, type AllowedVfsOptions, type AllowEntry } from "./mod.ts";

/** A folder of the host with a few files, some of which are allowed. */
async function allowing(
  entries: readonly string[],
  use: (vfs: AllowedVfs, root: string) => Promise<void>,
  options: Partial<AllowedVfsOptions> = {},
): Promise<void> {
  const top = await Deno.realPath(await Deno.makeTempDir({ prefix: "llmcmd-allowed-" }));
  const root = `${top}/root`;
  try {
    await Deno.mkdir(`${root}/data/sub`, { recursive: true });
    await Deno.writeTextFile(`${top}/outside`, "outside");
    await Deno.writeTextFile(`${root}/in.txt`, "in");
    await Deno.writeTextFile(`${root}/secret`, "secret");
    await Deno.writeTextFile(`${root}/data/sub/a`, "a");
    await Deno.symlink("../../outside", `${root}/data/out`);
    await Deno.symlink("../secret", `${root}/data/virtual-to-the-program`);
    await Deno.symlink("sub/a", `${root}/data/inside`);
    await using vfs = allowedVfs(hostFs(), { root, entries: entries.map(entry), ...options });
    await use(vfs, root);
  } finally {
    await Deno.remove(top, { recursive: true });
  }
}

/** Parses an entry such as `rw:path`. */
function entry(text: string): AllowEntry {
  const [rights = "", path = ""] = text.split(":");
  return { path, read: rights.includes("r"), write: rights.includes("w") };
}

/** Virtual files only, which use `file` when the memory is full. */
function virtual(
  options: Omit<AllowedVfsOptions, "root" | "entries">,
): AllowedVfs {
  return allowedVfs(hostFs(), { root: "/none", entries: [], ...options });
}

Deno.test("allowedVfs opens what an entry allows, in the ways that it allows", async () => {
  await allowing(["r:in.txt", "w:new", "rw:data"], async (vfs, root) => {
    assert.equal(await textOf(vfs, "in.txt"), "in");
    assert.equal(await textOf(vfs, `${root}/in.txt`), "in");
    for (const mode of ["w", "a", "rw"] as const) await fails(vfs.open("in.txt", mode), "EACCES");
    await fails(vfs.remove("in.txt"), "EACCES");
    await fails(vfs.rename("in.txt", "data/in"), "EACCES");
    await put(vfs, "new", "written");
    await fails(vfs.open("new", "r"), "EACCES");
    await fails(vfs.open("new", "rw"), "EACCES");
    assert.equal(await Deno.readTextFile(`${root}/new`), "written");
    await put(vfs, "data/sub/b", "b");
    assert.deepEqual(await names(vfs, "data/sub"), ["file a", "file b"]);
    await vfs.rename("data/sub/b", "data/c");
    assert.equal(await Deno.readTextFile(`${root}/data/c`), "b");
  });
});

Deno.test("allowedVfs follows a link only to what is allowed, too", async () => {
  await allowing(["rw:data"], async (vfs, root) => {
    assert.equal(await textOf(vfs, "data/inside"), "a");
    for (const name of ["out", "virtual-to-the-program"]) {
      for (const mode of ["r", "w", "a", "rw"] as const) {
        await fails(vfs.open(`data/${name}`, mode), "EACCES");
      }
    }
    assert.equal(await Deno.readTextFile(`${root}/secret`), "secret");
    assert.equal(await Deno.readTextFile(`${root}/../outside`), "outside");
  });
});

Deno.test("allowedVfs refuses absolute paths and ways out alike, whether or not something is there", async () => {
  await allowing(["r:in.txt"], async (vfs, root) => {
    const paths = [`${root}/secret`, `${root}/none`, "/etc/passwd", "/none", "..", "../outside"];
    for (const path of [...paths, "../none", "data/../../outside", `${root}/in.txt/../secret`]) {
      for (const mode of ["r", "w", "a", "rw"] as const) {
        await assert.rejects(vfs.open(path, mode), {
          code: "EACCES",
          message: `Cannot open ${path}: it is outside what is allowed`,
        });
      }
      await fails(vfs.stat(path), "EACCES", path);
      await fails(vfs.mkdir(path), "EACCES", path);
      await fails(vfs.remove(path), "EACCES", path);
    }
    await fails(vfs.open("", "w"), "ENOENT");
    await fails(vfs.open("a\0b", "w"), "EINVAL");
  });
});

Deno.test("allowedVfs tells of a path below a virtual file that a part of it is no folder", async () => {
  await allowing(["r:in.txt"], async (vfs) => {
    await put(vfs, "file", "virtual");
    const message = "Cannot open file/x: a part of the path is not a folder";
    for (const mode of ["r", "w", "a", "rw"] as const) {
      await assert.rejects(vfs.open("file/x", mode), { code: "ENOTDIR", message });
    }
    await fails(vfs.write("file/x"), "ENOTDIR", "file/x");
    await fails(vfs.rename("file", "file/x/y"), "ENOTDIR", "file/x/y");
  });
});

Deno.test("allowedVfs has virtual files where nothing is allowed, and nothing of the host shows", async () => {
  await allowing(["r:data/sub/a", "w:missing"], async (vfs, root) => {
    await fails(vfs.open("secret", "r"), "ENOENT");
    await put(vfs, "secret", "virtual");
    await put(vfs, "new/folder/file", "virtual");
    assert.equal(await textOf(vfs, "data/../secret"), "virtual");
    assert.deepEqual(await names(vfs, "."), ["file secret", "folder data", "folder new"]);
    assert.deepEqual(await names(vfs, "data"), ["folder sub"]);
    assert.deepEqual(await names(vfs, "data/sub"), ["file a"]);
    // A folder above an entry of the host cannot be moved.
    for (const path of ["data", "data/sub"]) {
      await fails(vfs.remove(path, { recursive: true }), "EBUSY");
      await fails(vfs.rename(path, "elsewhere"), "EBUSY");
    }
    await fails(vfs.rename("secret", "missing"), "EXDEV");
    await vfs.rename("secret", "other/place");
    assert.equal(await textOf(vfs, "other/place"), "virtual");
    assert.equal(await Deno.readTextFile(`${root}/secret`), "secret");
    assert.deepEqual([...Deno.readDirSync(root)].map(({ name }) => name).sort(), [
      "data",
      "in.txt",
      "secret",
    ]);
  });
});

Deno.test("allowedVfs moves a virtual file to a temporary one when the memory is used up", async () => {
  const files = scratchFiles();
  const { made } = files;
  const vfs = virtual({ quota: 100, memory: 8, scratch: () => files.scratch() });
  const handle = await vfs.open("a", "rw");
  await handle.write(0, bytes("12345678"));
  assert.equal(made.total, 0);
  await handle.write("end", bytes("9"));
  assert.deepEqual(made, { total: 1, open: 1 });
  assert.equal(await textAt(handle, 0, 100), "123456789");
  // The memory of the removed file is free for others.
  await put(vfs, "b", "12345678");
  assert.equal(made.total, 1);
  await handle.write(12, bytes("!"));
  assert.equal(await textAt(handle, 8, 100), "9\0\0\0!");
  await handle.truncate(2);
  await handle.truncate(4);
  assert.equal(await textAt(handle, 0, 100), "12\0\0");
  assert.equal((await vfs.stat("a")).size, 4);
  // The file stays usable without its name, and is deleted with its last handle.
  await vfs.remove("a");
  assert.equal(await textAt(handle, 0, 2), "12");
  assert.equal(made.open, 1);
  await handle.close();
  assert.equal(made.open, 0);
  await vfs[Symbol.asyncDispose]();
});

Deno.test("allowedVfs has a quota for all virtual files, and gives back what is removed", async () => {
  const files = scratchFiles();
  await using vfs = virtual({ quota: 10, memory: 4, scratch: () => files.scratch() });
  await put(vfs, "a", "123456");
  const full = "Cannot write b: all virtual files together may have 10 bytes";
  await assert.rejects(put(vfs, "b", "12345"), { code: "EDQUOT", message: full });
  const handle = await vfs.open("b", "w");
  await assert.rejects(handle.write(0, bytes("12345")), { code: "EDQUOT", message: full });
  await fails(handle.truncate(5), "EDQUOT");
  await fails(handle.write(2 ** 53 - 1, bytes("12345")), "EDQUOT");
  assert.equal((await handle.stat()).size, 0);
  await handle.write(0, bytes("1234"));
  await fails(handle.write("end", bytes("5")), "EDQUOT");
  // Truncating, removing, overwriting, replacing and aborting free space.
  await handle.truncate(3);
  await handle.write("end", bytes("4"));
  await vfs.remove("a");
  await handle.write("end", bytes("567890"));
  await handle.close();
  await put(vfs, "b", "");
  await put(vfs, "b", "12345");
  const output = await vfs.write("c");
  await output.write(bytes("12345"));
  await fails(output.write(bytes("6")), "EDQUOT");
  await output.abort();
  await vfs.open("b", "w").then((emptied) => emptied.close());
  await put(vfs, "d", "1234567890");
  assert.equal(await textOf(vfs, "d"), "1234567890");
});

Deno.test("allowedVfs has no more virtual files and folders than it may, also empty ones", async () => {
  await using vfs = virtual({ files: 4 });
  await put(vfs, "folder/a", "");
  const full = "the limit is 4 virtual files and folders: remove some";
  // The root folder counts as one of the files, too.
  await put(vfs, "b", "");
  await assert.rejects(vfs.open("c", "w"), { code: "EDQUOT", message: `Cannot open c: ${full}` });
  await assert.rejects(put(vfs, "c", "c"), { code: "EDQUOT", message: `Cannot write c: ${full}` });
  await fails(vfs.mkdir("c"), "EDQUOT");
  await fails(vfs.open("c/d/e", "a"), "EDQUOT");
  await put(vfs, "b", "replaced");
  await vfs.rename("b", "folder/a");
  await put(vfs, "c", "");
  await vfs.remove("folder", { recursive: true });
  await put(vfs, "d", "");
  await put(vfs, "e", "");
  await fails(vfs.open("f", "w"), "EDQUOT");
  await fails(vfs.rename("e", "\u00e9".repeat(128)), "ENAMETOOLONG");
  await vfs.rename("e", "\u00e9".repeat(127));
});

Deno.test("allowedVfs loses nothing where two append to a virtual file at once", async () => {
  const files = scratchFiles();
  for (const memory of [100, 4]) {
    await using vfs = virtual({ memory, scratch: () => files.scratch() });
    const [one, two] = await Promise.all([vfs.open("log", "a"), vfs.open("log", "a")]);
    await Promise.all([one, two, one, two].map((handle) => handle.write("end", bytes("12"))));
    assert.equal(await textOf(vfs, "log"), "12121212");
    await Promise.all([one.close(), two.close()]);
  }
});

Deno.test("allowedVfs keeps a virtual file as it was when the disk is full", async () => {
  const files = scratchFiles();
  const { made } = files;
  await using vfs = virtual({ quota: 20, memory: 4, scratch: () => files.scratch() });
  const handle = await vfs.open("a", "rw");
  await handle.write(0, bytes("1234"));
  files.full = true;
  // The temporary file it was to move to is closed again.
  await fails(handle.write(4, bytes("5")), "ENOSPC", "a");
  assert.deepEqual(made, { total: 1, open: 0 });
  assert.equal(await textAt(handle, 0, 10), "1234");
  files.full = false;
  await handle.write(4, bytes("5"));
  files.full = true;
  await fails(handle.write(5, bytes("x".repeat(15))), "ENOSPC", "a");
  files.full = false;
  // The part that reached the disk does not show, and does not count for the quota.
  assert.equal((await handle.stat()).size, 5);
  await handle.write(19, bytes("!"));
  assert.equal(await textAt(handle, 0, 20), `12345${"\0".repeat(14)}!`);
  await handle.close();
});

Deno.test("allowedVfs without temporary files, or where none can be made, has the memory only", async () => {
  await using without = virtual({ quota: 8 });
  await put(without, "a", "12345678");
  await fails(put(without, "b", "1"), "EDQUOT");
  const failing = () => Promise.reject(new Error("no folder for temporary files"));
  await using vfs = virtual({ memory: 4, scratch: failing });
  await put(vfs, "a", "1234");
  await fails(put(vfs, "b", "1"), "EIO", "b");
  await vfs.remove("a");
  await put(vfs, "b", "1234");
});

Deno.test({
  ...optional("unnamedFile is on the disk without a name until it is closed", notLinux),
  async fn() {
    const paths: string[] = [];
    const open = () =>
      [...Deno.readDirSync("/proc/self/fd")].map(({ name }) => {
        try {
          return Deno.readLinkSync(`/proc/self/fd/${name}`);
        } catch {
          return "";
        }
      }).filter((target) => paths.some((path) => target.startsWith(path)));
    const make = async () => {
      const file = await unnamedFile();
      paths.push(file.path?.replace(/ \(deleted\)$/, "") ?? "");
      return file;
    };
    const vfs = virtual({ memory: 4, scratch: make });
    await put(vfs, "a", "x".repeat(100_000));
    await put(vfs, "b", "12345");
    const [path = "?"] = paths;
    assert.match(path, /\/llmcmd-[^/]+$/);
    await assert.rejects(Deno.lstat(path), Deno.errors.NotFound);
    assert.equal(await textOf(vfs, "a"), "x".repeat(100_000));
    assert.equal(open().length, 2);
    const handle = await vfs.open("b", "r");
    // Disposing deletes files without an open handle; others are deleted with their last handle.
    await vfs[Symbol.asyncDispose]();
    assert.equal(open().length, 1);
    assert.equal(await textAt(handle, 0, 10), "12345");
    await handle.close();
    assert.deepEqual(open(), []);
  },
});

Deno.test("allowedVfs has outputs that are virtual, wherever the host has them", async () => {
  const outputs = ["out.txt", "data/made", "../outside"];
  await allowing(["rw:data", "r:in.txt"], async (vfs, root) => {
    for (const path of [...outputs, `${root}/out.txt`]) await fails(vfs.open(path, "r"), "ENOENT");
    const places = ["out.txt", `${root}/data/made`, `${root}/../outside`];
    for (const path of places) await put(vfs, path, "new");
    for (const path of outputs) assert.equal(await textOf(vfs, path), "new");
    // The host's file is unchanged.
    assert.equal(await Deno.readTextFile(`${root}/../outside`), "outside");
    assert.deepEqual(
      [...Deno.readDirSync(`${root}/data`)].some(({ name }) => name === "made"),
      false,
    );
    await fails(vfs.open("../in", "w"), "EACCES");
    assert.deepEqual(await Array.fromAsync(vfs.virtualFiles()), []);
    for (const path of ["notes/a", "b"]) await put(vfs, path, "kept by nobody");
    await put(vfs, "empty", "");
    assert.deepEqual((await Array.fromAsync(vfs.virtualFiles())).sort(), ["b", "notes/a"]);
  }, { outputs });
});
