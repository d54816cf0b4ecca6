import assert from "node:assert/strict";
import type { HostFile } from "../ports/mod.ts";
import { type Chunk, MemorySink } from "../streams/mod.ts";
import { readFile, writeFile } from "./files.ts";
import type { VfsErrorCode } from "./errors.ts";
import { memoryVfs } from "./memory_vfs.ts";
import type { Vfs, VfsHandle } from "./types.ts";

/** A Vfs to test against the contract, with a way to make links. */
export interface Subject extends AsyncDisposable {
  vfs: Vfs;
  symlink(target: string, path: string): Promise<void>;
}

/** The text of a file. */
export async function textOf(vfs: Vfs, path: string): Promise<string> {
  return new TextDecoder().decode(await readFile(vfs, path));
}

/** Lists all files with their text, links with their targets, and folders. */
export async function all(vfs: Vfs, folder = "/w"): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, kind } of vfs.list(folder)) {
    const path = `${folder}/${name}`;
    if (kind === "folder") found.push(`${path}/`, ...await all(vfs, path));
    else if (kind === "link") found.push(`${path} -> ${await vfs.readlink(path)}`);
    else found.push(`${path} ${await textOf(vfs, path)}`);
  }
  return found.sort();
}

/** Writes a file's text. */
export function put(vfs: Vfs, path: string, text: string): Promise<void> {
  return writeFile(vfs, path, new TextEncoder().encode(text));
}

/** The kinds and names in a folder, sorted. */
export async function names(vfs: Vfs, path: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, kind } of vfs.list(path)) found.push(`${kind} ${name}`);
  return found.sort();
}

/** Text as bytes. */
export function bytes(text: string): Chunk {
  return new TextEncoder().encode(text);
}

/** Reads text from a handle at an offset. */
export async function textAt(handle: VfsHandle, at: number, most: number): Promise<string> {
  const into = new Uint8Array(most);
  return new TextDecoder().decode(into.subarray(0, await handle.read(at, into)));
}

/** Temporary files in memory, with the number of those made and of those open. */
export function scratchFiles(): {
  readonly made: { total: number; open: number };
  /** Makes one. */
  scratch(): Promise<HostFile>;
  /** True to simulate a full disk: a write stores a part of its chunk, then fails. */
  full: boolean;
} {
  const files = memoryVfs();
  const made = { total: 0, open: 0 };
  return {
    made,
    full: false,
    async scratch() {
      const name = String(made.total++);
      const handle = await files.open(name, "rw");
      await files.remove(name);
      made.open++;
      return {
        info: handle.info,
        path: undefined,
        stat: () => handle.stat(),
        read: (at, into) => handle.read(at, into),
        write: async (at, chunk) => {
          await handle.write(at, this.full ? chunk.subarray(0, 1) : chunk);
          if (this.full) throw Object.assign(new Error("full"), { code: "ENOSPC" });
        },
        truncate: (size) => handle.truncate(size),
        async close() {
          made.open--;
          await handle.close();
        },
      };
    },
  };
}

/** Fails unless the promise rejects with a VfsError of that code, for that path. */
export async function fails(
  promise: Promise<unknown>,
  code: VfsErrorCode,
  path?: string,
): Promise<void> {
  await assert.rejects(promise, (error: unknown) => {
    assert(error instanceof Error);
    assert.equal(error.name, "VfsError", `${error.name}: ${error.message}`);
    assert("code" in error && "path" in error);
    assert.equal(error.code, code, error.message);
    if (path !== undefined) assert.equal(error.path, path);
    assert.match(error.message, /^Cannot [^.]*/);
    return true;
  });
}

/** The contract of every Vfs. Each case gets an empty one. */
export const contract: Record<string, (subject: Subject) => Promise<void>> = {
  "gives back what was written, with size, mode and time": async ({ vfs }) => {
    await put(vfs, "a.txt", "hello");
    assert.equal(await textOf(vfs, "a.txt"), "hello");
    assert.equal(await textOf(vfs, `${vfs.root}/./a.txt`), "hello");
    const info = await vfs.stat("a.txt");
    assert.equal(info.kind, "file");
    assert.equal(info.size, 5);
    assert.equal(info.mode, 0o644);
    assert.equal(typeof info.modified, "number");
    assert.equal((await vfs.lstat("a.txt")).id, info.id);
    await put(vfs, "empty", "");
    assert.equal(await textOf(vfs, "empty"), "");
  },
  "reads as a source and at random": async ({ vfs }) => {
    const text = "0123456789".repeat(20_000);
    await put(vfs, "long", text);
    const file = await vfs.read("long");
    const sink = new MemorySink();
    const ten = new Uint8Array(10);
    assert.equal(await file.at.read(199_995, ten), 5);
    assert.equal(new TextDecoder().decode(ten.subarray(0, 5)), "56789");
    assert.equal(await file.at.read(200_000, ten), 0);
    for await (const chunk of file) await sink.write(chunk);
    assert.equal(sink.text(), text);
    assert.equal(file.info.size, 200_000);
    await fails(file.at.read(0, ten), "EBADF", "long");
    await file.return();
    await fails(readFile(vfs, "long", { limit: 100 }), "EFBIG", "long");
    assert.equal((await readFile(vfs, "long", { limit: 200_000 })).length, 200_000);
  },
  "writes all or nothing": async ({ vfs }) => {
    await put(vfs, "a", "old");
    const aborted = await vfs.write("a");
    await aborted.write(new TextEncoder().encode("half"));
    assert.equal(await textOf(vfs, "a"), "old");
    await aborted.abort();
    await aborted.close();
    assert.equal(await textOf(vfs, "a"), "old");
    const output = await vfs.write("a");
    const chunk = new TextEncoder().encode("new");
    await output.write(chunk);
    chunk.fill(0);
    await output.close();
    await output.close();
    await output.abort();
    assert.equal(await textOf(vfs, "a"), "new");
    await assert.rejects(output.write(chunk), TypeError);
    assert.deepEqual(await names(vfs, "."), ["file a"]);
  },
  "writes exclusively": async ({ vfs }) => {
    const first = await vfs.write("a", { exclusive: true });
    const second = await vfs.write("a", { exclusive: true });
    await first.close();
    await fails(second.close(), "EEXIST", "a");
    await fails(vfs.write("a", { exclusive: true }), "EEXIST", "a");
    assert.deepEqual(await names(vfs, "."), ["file a"]);
  },
  "writes through links and leaves them": async ({ vfs, symlink }) => {
    await vfs.mkdir("d");
    await put(vfs, "d/target", "old");
    await symlink("d/target", "link");
    await put(vfs, "link", "new");
    assert.equal(await textOf(vfs, "d/target"), "new");
    assert.equal(await vfs.readlink("link"), "d/target");
    assert.equal((await vfs.stat("link")).kind, "file");
    assert.equal((await vfs.lstat("link")).kind, "link");
    await symlink("d/made", "dangling");
    await fails(vfs.stat("dangling"), "ENOENT", "dangling");
    await put(vfs, "dangling", "made");
    assert.equal(await textOf(vfs, "d/made"), "made");
    assert.equal((await vfs.lstat("dangling")).kind, "link");
  },
  "makes folders of the mode that is asked for": async ({ vfs }) => {
    const made = await vfs.mkdir("private", { mode: 0o700 }).then(() => true, (error) => {
      assert.equal(error.code, "ENOSYS");
      return false;
    });
    if (!made) return;
    await vfs.mkdir("shared/all", { parents: true, mode: 0o777 });
    const mode = async (path: string) => ((await vfs.stat(path)).mode ?? 0) & 0o777;
    assert.deepEqual([await mode("private"), await mode("shared/all")], [0o700, 0o777]);
  },
  "makes folders": async ({ vfs }) => {
    await fails(vfs.mkdir("a/b/c"), "ENOENT", "a/b/c");
    await vfs.mkdir("a/b/c", { parents: true });
    await vfs.mkdir("a/b/c", { parents: true });
    assert.equal((await vfs.stat("a/b/c/")).kind, "folder");
    await fails(vfs.mkdir("a/b"), "EEXIST", "a/b");
    await put(vfs, "f", "");
    await fails(vfs.mkdir("f", { parents: true }), "EEXIST", "f");
    await fails(vfs.mkdir("f/x", { parents: true }), "ENOTDIR", "f/x");
  },
  "lists folders": async ({ vfs, symlink }) => {
    assert.deepEqual(await names(vfs, "."), []);
    await put(vfs, "b", "");
    await vfs.mkdir("a");
    await symlink("nowhere", "c");
    assert.deepEqual(await names(vfs, vfs.root), ["file b", "folder a", "link c"]);
    await fails(names(vfs, "none"), "ENOENT", "none");
    await fails(names(vfs, "b"), "ENOTDIR", "b");
  },
  "removes": async ({ vfs, symlink }) => {
    await vfs.mkdir("a/b", { parents: true });
    await put(vfs, "a/b/f", "");
    await symlink("a/b/f", "link");
    await vfs.remove("link");
    assert.equal((await vfs.stat("a/b/f")).kind, "file");
    await fails(vfs.remove("a"), "ENOTEMPTY", "a");
    await vfs.remove("a", { recursive: true });
    await fails(vfs.remove("a"), "ENOENT", "a");
    await fails(vfs.stat("a"), "ENOENT", "a");
    assert.deepEqual(await names(vfs, "."), []);
  },
  "removes a link to a folder and not the folder": async ({ vfs, symlink }) => {
    await vfs.mkdir("a");
    await put(vfs, "a/f", "");
    await symlink("a", "link");
    await vfs.remove("link", { recursive: true });
    assert.deepEqual(await names(vfs, "."), ["folder a"]);
    assert.deepEqual(await names(vfs, "a"), ["file f"]);
  },
  "renames": async ({ vfs }) => {
    await put(vfs, "a", "A");
    await put(vfs, "b", "B");
    await vfs.rename("a", "b");
    assert.equal(await textOf(vfs, "b"), "A");
    await fails(vfs.rename("a", "c"), "ENOENT", "a");
    await vfs.mkdir("d/e", { parents: true });
    await fails(vfs.rename("b", "d"), "EISDIR");
    await fails(vfs.rename("d", "b"), "ENOTDIR");
    await fails(vfs.rename("d", "d/e/x"), "EINVAL");
    await vfs.mkdir("full");
    await put(vfs, "full/f", "");
    await fails(vfs.rename("d", "full"), "ENOTEMPTY");
    await vfs.rename("full", "d/e");
    await vfs.rename("b", "b");
    assert.deepEqual(await names(vfs, "d/e"), ["file f"]);
    assert.deepEqual(await names(vfs, "."), ["file b", "folder d"]);
  },
  "follows links and .. as POSIX does": async ({ vfs, symlink }) => {
    await vfs.mkdir("a/b", { parents: true });
    await put(vfs, "a/f", "in a");
    await put(vfs, "f", "at the top");
    await symlink("a/b", "link");
    assert.equal(await textOf(vfs, "link/../f"), "in a");
    assert.equal(await vfs.realpath("link/.."), `${await vfs.realpath(".")}/a`);
    assert.equal(await vfs.realpath("a/./b/../f"), `${await vfs.realpath(".")}/a/f`);
    await put(vfs, "link/../g", "x");
    assert.deepEqual(await names(vfs, "a"), ["file f", "file g", "folder b"]);
    await symlink("loop", "loop");
    await fails(vfs.stat("loop"), "ELOOP", "loop");
    await fails(vfs.read("loop/x"), "ELOOP", "loop/x");
    await fails(vfs.realpath("none"), "ENOENT", "none");
    await fails(vfs.readlink("f"), "EINVAL", "f");
    assert.equal(await vfs.readlink("loop"), "loop");
  },
  "opens to read, and refuses to write": async ({ vfs }) => {
    await put(vfs, "a", "hello");
    const handle = await vfs.open("a", "r");
    assert.equal(handle.mode, "r");
    assert.equal(handle.info.size, 5);
    assert.equal(await textAt(handle, 1, 3), "ell");
    assert.equal(await textAt(handle, 3, 10), "lo");
    assert.equal(await textAt(handle, 5, 10), "");
    assert.equal(await textAt(handle, 50, 10), "");
    await fails(handle.write(0, bytes("x")), "EBADF", "a");
    await fails(handle.truncate(0), "EBADF", "a");
    await fails(handle.read(-1, bytes("x")), "EINVAL", "a");
    await handle.close();
    await handle.close();
    await fails(handle.read(0, bytes("x")), "EBADF", "a");
    await fails(handle.stat(), "EBADF", "a");
    await fails(vfs.open("none", "r"), "ENOENT", "none");
    assert.equal(await textOf(vfs, "a"), "hello");
  },
  "opens with w, which empties or makes a file and does not read": async ({ vfs }) => {
    await put(vfs, "a", "old and long");
    const handle = await vfs.open("a", "w");
    assert.equal(handle.info.size, 0);
    await handle.write(0, bytes("new"));
    await handle.write("end", bytes("er"));
    await fails(handle.read(0, bytes("x")), "EBADF", "a");
    assert.equal(await textOf(vfs, "a"), "newer");
    await handle.close();
    const made = await vfs.open("made", "w");
    await made.write(3, bytes("x"));
    assert.equal((await made.stat()).size, 4);
    await made.close();
    assert.equal(await textOf(vfs, "made"), "\0\0\0x");
  },
  "opens with a, which only ever adds": async ({ vfs }) => {
    await put(vfs, "a", "one");
    const first = await vfs.open("a", "a");
    const second = await vfs.open("a", "a");
    await first.write(0, bytes(" two"));
    await second.write("end", bytes(" three"));
    await first.write("end", bytes(" four"));
    await fails(first.read(0, bytes("x")), "EBADF", "a");
    await first.close();
    await second.close();
    assert.equal(await textOf(vfs, "a"), "one two three four");
    await (await vfs.open("made", "a")).close();
    assert.equal(await textOf(vfs, "made"), "");
  },
  "opens with rw, which empties nothing and makes what is missing": async ({ vfs }) => {
    await put(vfs, "a", "hello");
    const handle = await vfs.open("a", "rw");
    await handle.write(1, bytes("u"));
    assert.equal(await textAt(handle, 0, 10), "hullo");
    await handle.truncate(2);
    assert.equal(await textAt(handle, 0, 10), "hu");
    await handle.truncate(4);
    assert.equal(await textAt(handle, 0, 10), "hu\0\0");
    await handle.close();
    assert.equal(await textOf(vfs, "a"), "hu\0\0");
    await (await vfs.open("made", "rw")).close();
    assert.equal((await vfs.stat("made")).size, 0);
  },
  "keeps an open handle when the name is removed or given to another": async ({ vfs }) => {
    await put(vfs, "a", "first");
    const handle = await vfs.open("a", "rw");
    await vfs.remove("a");
    await put(vfs, "a", "second");
    await handle.write("end", bytes("!"));
    assert.equal(await textAt(handle, 0, 10), "first!");
    await handle.close();
    assert.equal(await textOf(vfs, "a"), "second");
    const replaced = await vfs.open("a", "r");
    await put(vfs, "b", "third");
    await vfs.rename("b", "a");
    assert.equal(await textAt(replaced, 0, 10), "second");
    await replaced.close();
    assert.equal(await textOf(vfs, "a"), "third");
  },
  "opens through links, and names what cannot be opened": async ({ vfs, symlink }) => {
    await vfs.mkdir("d");
    await symlink("d/made", "link");
    const handle = await vfs.open("link", "w");
    await handle.write(0, bytes("x"));
    await handle.close();
    assert.equal(await textOf(vfs, "d/made"), "x");
    for (const mode of ["r", "w", "a", "rw"] as const) {
      await fails(vfs.open("d", mode), "EISDIR", "d");
      await fails(vfs.open("", mode), "ENOENT", "");
      await fails(vfs.open("a\0b", mode), "EINVAL", "a\0b");
      await fails(vfs.open("none/f", mode), "ENOENT", "none/f");
      await fails(vfs.open("d/made/f", mode), "ENOTDIR", "d/made/f");
    }
    await fails(vfs.open("new/", "w"), "EISDIR", "new/");
    assert.deepEqual(await names(vfs, "."), ["folder d", "link link"]);
  },
  "names what cannot be": async ({ vfs }) => {
    await put(vfs, "f", "");
    await vfs.mkdir("d");
    await fails(vfs.read("none"), "ENOENT", "none");
    await fails(vfs.read("d"), "EISDIR", "d");
    await fails(vfs.read("f/x"), "ENOTDIR", "f/x");
    await fails(vfs.read("f/"), "ENOTDIR", "f/");
    await fails(vfs.write("d"), "EISDIR", "d");
    await fails(vfs.write("d/"), "EISDIR", "d/");
    await fails(vfs.write("new/"), "EISDIR", "new/");
    await fails(vfs.write("none/f"), "ENOENT", "none/f");
    await fails(vfs.write("f/x"), "ENOTDIR", "f/x");
    for (const operation of ["stat", "lstat", "read", "realpath", "readlink"] as const) {
      await fails(vfs[operation](""), "ENOENT", "");
    }
    await fails(vfs.stat("a\0b"), "EINVAL", "a\0b");
  },
};
