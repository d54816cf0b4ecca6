import assert from "node:assert/strict";
import type { HostFs } from "../ports/mod.ts";
import { hostFs } from "../sys/mod.ts";
import { fails, names, put, textOf } from "./_testing.ts";
import { type BoundedVfs, hostVfs } from "./host_vfs.ts";

/**
 * A host with the folder `tmp` mounted at `/tmp`, and the test's own folder in the host's `/tmp`.
 */
async function mounted(use: (vfs: BoundedVfs, top: string) => Promise<void>): Promise<void> {
  const top = await Deno.realPath(await Deno.makeTempDir({ prefix: "vfs-" }));
  try {
    for (const name of ["work", "tmp", "other"]) await Deno.mkdir(`${top}/${name}`);
    await Deno.writeTextFile(`${top}/other/secret`, "secret");
    const vfs = hostVfs(hostFs(), {
      root: `${top}/work`,
      writable: [`${top}/work`, "/tmp"],
      mounts: () =>
        Promise.resolve([{ at: "/tmp", folder: `${top}/tmp` }, { folder: `${top}/work` }]),
    });
    await use(vfs, top);
  } finally {
    await Deno.remove(top, { recursive: true });
  }
}

Deno.test("hostVfs sees mounted folders, and follows links as a program does that sees the same", async () => {
  await mounted(async (vfs, top) => {
    await put(vfs, "/tmp/a", "a");
    assert.equal(await Deno.readTextFile(`${top}/tmp/a`), "a");
    await vfs.mkdir("/tmp/b/c", { parents: true });
    assert.deepEqual(await names(vfs, "/tmp"), ["file a", "folder b"]);
    // A link is followed from its visible path, whatever the host has at that path.
    const host = `/tmp/llmcmd-${crypto.randomUUID()}`;
    await Deno.writeTextFile(host, "the host's");
    await Deno.symlink(host, `${top}/work/link`);
    await Deno.symlink(`${top}/work`, `${top}/tmp/back`);
    await Deno.symlink("../../../../../../tmp/a", `${top}/tmp/up`);
    try {
      await fails(vfs.read("link"), "ENOENT");
      await put(vfs, "link", "mine");
      assert.equal(await Deno.readTextFile(`${top}${host}`), "mine");
      assert.equal(await Deno.readTextFile(host), "the host's");
    } finally {
      await Deno.remove(host);
    }
    assert.equal(await textOf(vfs, "/tmp/up"), "a");
    await put(vfs, "/tmp/back/in_work", "x");
    assert.equal(await Deno.readTextFile(`${top}/work/in_work`), "x");
    assert.equal(await vfs.realpath("/tmp/back/../work/in_work"), `${top}/work/in_work`);
    await fails(vfs.read("/tmp/a/b"), "ENOTDIR");
    await Deno.symlink("loop", `${top}/tmp/loop`);
    await fails(vfs.read("/tmp/loop"), "ELOOP");
    // The rest of the host's /tmp is invisible and inaccessible.
    await fails(vfs.read(`${top}/other/secret`), "ENOENT");
    await fails(vfs.read("../other/secret"), "ENOENT");
    await vfs.mkdir(`${top}/other`, { parents: true });
    await put(vfs, `${top}/other/secret`, "mine");
    assert.equal(await Deno.readTextFile(`${top}/other/secret`), "secret");
  });
});

Deno.test("hostVfs sees mounted folders where the runtime may not look at those above", async () => {
  const top = await Deno.realPath(await Deno.makeTempDir({ prefix: "vfs-" }));
  await Deno.mkdir(`${top}/work`);
  await Deno.writeTextFile(`${top}/work/a`, "a");
  const host = hostFs();
  const denied = (path: string) =>
    Object.assign(new Error(`Cannot use ${path}`), { flag: "--allow-read", why: "not permitted" });
  const narrow: HostFs = {
    ...host,
    lstat: (path) =>
      path.startsWith(`${top}/work`) ? host.lstat(path) : Promise.reject(denied(path)),
  };
  const vfs = hostVfs(narrow, {
    root: `${top}/work`,
    writable: [`${top}/work`],
    hidden: ["/root/.ssh"],
    mounts: () =>
      Promise.resolve([{ at: "/tmp", folder: `${top}/work` }, { folder: `${top}/work` }]),
  });
  assert.equal(await textOf(vfs, "a"), "a");
  await put(vfs, "b", "b");
  await fails(vfs.read("/root"), "EACCES");
  await fails(vfs.write(`${top}/c`), "EACCES");
  await Deno.remove(top, { recursive: true });
});

Deno.test("hostVfs notices a folder of a mount that was swapped for a link in between", async () => {
  const top = await Deno.realPath(await Deno.makeTempDir({ prefix: "vfs-" }));
  try {
    for (const name of ["tmp/sub", "other"]) {
      await Deno.mkdir(`${top}/${name}`, { recursive: true });
    }
    for (const name of ["tmp/sub", "other"]) await Deno.writeTextFile(`${top}/${name}/file`, name);
    const host = hostFs();
    const swap = async () => {
      await Deno.rename(`${top}/tmp/sub`, `${top}/tmp/old`);
      await Deno.symlink(`${top}/other`, `${top}/tmp/sub`);
    };
    const swapping: HostFs = {
      ...host,
      hold: () => Promise.resolve(undefined),
      open: async (path, mode) => {
        await swap();
        return await host.open(path, mode);
      },
      create: async (folder, like) => {
        await swap();
        return await host.create(folder, like);
      },
    };
    const vfs = hostVfs(swapping, {
      root: "/tmp",
      writable: ["/tmp"],
      mounts: () => Promise.resolve([{ at: "/tmp", folder: `${top}/tmp` }]),
    });
    await fails(vfs.read("sub/file"), "EACCES");
    await Deno.remove(`${top}/tmp/sub`);
    await Deno.rename(`${top}/tmp/old`, `${top}/tmp/sub`);
    await fails(vfs.write("sub/file"), "EACCES");
    assert.deepEqual([...Deno.readDirSync(`${top}/other`)].map(({ name }) => name), ["file"]);
  } finally {
    await Deno.remove(top, { recursive: true });
  }
});

Deno.test("hostVfs makes files and folders in one that is there for a mount below alone", async () => {
  const top = await Deno.realPath(await Deno.makeTempDir({ prefix: "vfs-" }));
  try {
    await Deno.mkdir(`${top}/tmp`);
    await Deno.mkdir(`${top}/work`);
    const vfs = hostVfs(hostFs(), {
      root: "/tmp/mine/work",
      writable: ["/tmp"],
      mounts: () =>
        Promise.resolve([
          { at: "/tmp", folder: `${top}/tmp` },
          { at: "/tmp/mine/work", folder: `${top}/work` },
        ]),
    });
    await vfs.mkdir("../", { parents: true });
    await put(vfs, "../beside", "x");
    assert.equal(await Deno.readTextFile(`${top}/tmp/mine/beside`), "x");
    await fails(vfs.mkdir("../beside/", { parents: true }), "ENOTDIR");
  } finally {
    await Deno.remove(top, { recursive: true });
  }
});
