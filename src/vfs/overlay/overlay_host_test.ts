import assert from "node:assert/strict";
import { hostFs } from "../../sys/mod.ts";
import { bytes, fails, names, put, textOf } from "../_testing.ts";
import { allowedVfs } from "../allowed_vfs.ts";
import { VfsError } from "../errors.ts";
import { readFile } from "../files.ts";
import { hostVfs } from "../host_vfs.ts";
import { memoryVfs } from "../memory_vfs.ts";
import type { Vfs } from "../types.ts";
import { overlayHost, type OverlayVfs, overlayVfs } from "./mod.ts";

/**
 * An allowed folder `in` with a layer over it, beside `out` with a secret, and an overlay to apply.
 */
async function confined(
  use: (parts: { vfs: Vfs; top: string; below: () => Promise<OverlayVfs> }) => Promise<void>,
): Promise<void> {
  const top = await Deno.realPath(await Deno.makeTempDir({ prefix: "vfs-" }));
  try {
    await Deno.mkdir(`${top}/in/sub`, { recursive: true });
    await Deno.mkdir(`${top}/out`);
    await Deno.writeTextFile(`${top}/out/file`, "secret");
    await Deno.writeTextFile(`${top}/in/sub/file`, "fine");
    await Deno.symlink("../out", `${top}/in/link`);
    const layer = memoryVfs();
    const confine = { root: `${top}/in`, allow: [`${top}/in`] };
    await using host = await overlayHost(hostFs(), layer);
    const below = () => overlayVfs(hostVfs(hostFs(), confine), layer);
    await use({ vfs: hostVfs(host, confine), top, below });
  } finally {
    await Deno.remove(top, { recursive: true });
  }
}

Deno.test("overlayHost below hostVfs lets no link lead out, wherever it was moved to", async () => {
  await confined(async ({ vfs, top }) => {
    await fails(readFile(vfs, "link/file"), "EACCES", "link/file");
    await vfs.rename("sub", "other");
    await vfs.rename("link", "sub");
    assert.equal(await vfs.readlink("sub"), "../out");
    for (const path of ["sub/file", "other/../sub/file", `${top}/in/sub/none`]) {
      await fails(readFile(vfs, path), "EACCES", path);
      await fails(vfs.write(path), "EACCES", path);
      await fails(vfs.open(path, "rw"), "EACCES", path);
    }
    await fails(names(vfs, "sub"), "EACCES", "sub");
    await fails(vfs.rename("other/file", "sub/mine"), "EACCES");
    assert.equal(await textOf(vfs, "other/file"), "fine");
    assert.equal(await Deno.readTextFile(`${top}/in/sub/file`), "fine");
  });
});

Deno.test({
  name: "overlayHost below hostVfs reads nothing outside when lower folders become links",
  ignore: Deno.build.os !== "linux",
  async fn() {
    await confined(async ({ vfs, top }) => {
      await vfs.rename("sub/file", "moved");
      await Deno.rename(`${top}/in/sub`, `${top}/sub`);
      await Deno.symlink("../out", `${top}/in/sub`);
      await fails(readFile(vfs, "moved"), "EACCES", "moved");
      await fails(vfs.stat("moved"), "EACCES", "moved");
      const handle = vfs.open("moved", "a").then((handle) => handle.write("end", bytes("x")));
      await fails(handle, "EACCES", "moved");
    });
  },
});

Deno.test("overlayVfs applies nothing behind a link that was put in place of a folder", async () => {
  await confined(async ({ vfs, top, below }) => {
    await vfs.mkdir("made");
    await put(vfs, "sub/new", "new");
    await put(vfs, "sub/file", "changed");
    await put(vfs, "made/deep", "deep");
    await Deno.mkdir(`${top}/in/elsewhere`);
    await Deno.writeTextFile(`${top}/in/elsewhere/file`, "fine");
    await Deno.rename(`${top}/in/sub`, `${top}/sub`);
    await Deno.symlink("elsewhere", `${top}/in/sub`);
    await Deno.symlink("../out", `${top}/in/made`);
    await using overlay = await below();
    const { applied, refused } = await overlay.apply();
    assert.deepEqual(applied, []);
    assert.deepEqual(
      refused.map(({ path }) => path.slice(top.length)),
      ["/in/made", "/in/made/deep", "/in/sub/file", "/in/sub/new"],
    );
    assert.deepEqual([...Deno.readDirSync(`${top}/out`)].map(({ name }) => name), ["file"]);
    assert.equal(await Deno.readTextFile(`${top}/out/file`), "secret");
    assert.deepEqual([...Deno.readDirSync(`${top}/in/elsewhere`)].map(({ name }) => name), [
      "file",
    ]);
    assert.equal(await Deno.readTextFile(`${top}/in/elsewhere/file`), "fine");
  });
});

Deno.test("overlayHost names the file where the layer is full, not where the layer keeps it", async () => {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "vfs-" }));
  try {
    await using layer = allowedVfs(hostFs(), { root: "/layer", entries: [], quota: 4096 });
    await using host = await overlayHost(hostFs(), layer);
    const vfs = hostVfs(host, { root: folder });
    const handle = await vfs.open("new", "w");
    const why = `Cannot write new: ${new VfsError("EDQUOT", "", "").message.split(": ")[1]}`;
    await assert.rejects(handle.write(0, new Uint8Array(8192)), { code: "EDQUOT", message: why });
    await handle.close();
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("overlayHost asks the lower files nothing about what only the layer has", async () => {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "vfs-" }));
  try {
    await Deno.mkdir(`${folder}/layer`);
    await Deno.mkdir(`${folder}/w`);
    const asked: string[] = [];
    const lower = {
      ...hostFs(),
      lstat: (path: string) => {
        asked.push(path);
        return hostFs().lstat(path);
      },
    };
    const layer = hostVfs(hostFs(), { root: `${folder}/layer` });
    await using host = await overlayHost(lower, layer);
    const vfs = hostVfs(host, { root: `${folder}/w`, allow: [`${folder}/w`] });
    await vfs.mkdir("made");
    asked.length = 0;
    for (let index = 0; index < 10; index++) await put(vfs, `made/${index}`, "x");
    await fails(vfs.open("made/none", "r"), "ENOENT", "made/none");
    assert.deepEqual(asked, []);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
