import assert from "node:assert/strict";
import { hostFs } from "../../sys/mod.ts";
import { WorkingFolders } from "./working_folders.ts";

async function inTree(use: (root: string) => Promise<void>): Promise<void> {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "folders-" }));
  try {
    await Deno.mkdir(`${root}/a/sub`, { recursive: true });
    await Deno.mkdir(`${root}/ab`);
    await Deno.writeTextFile(`${root}/a/file`, "");
    await Deno.symlink("../ab", `${root}/a/out`);
    await use(root);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

Deno.test("WorkingFolders finds any folder where none are named, from the current one", async () => {
  await inTree(async (root) => {
    const folders = await WorkingFolders.open(hostFs(), `${root}/a`, []);
    assert.deepEqual([folders.usual, folders.allowed], [`${root}/a`, undefined]);
    assert.equal(await folders.find("sub"), `${root}/a/sub`);
    assert.equal(await folders.find("../ab/."), `${root}/ab`);
    assert.equal(await folders.find("/"), "/");
    const refused = { "/no/such": "there is no such folder", "file": "it is not a folder" };
    for (const [path, why] of Object.entries(refused)) {
      await assert.rejects(folders.find(path), {
        name: "RangeError",
        message: `Cannot work in ${path}: ${why}`,
      });
    }
  });
});

Deno.test("WorkingFolders keeps to the folders that are named, also through links", async () => {
  await inTree(async (root) => {
    const folders = await WorkingFolders.open(hostFs(), root, ["a", `${root}/a/sub`]);
    assert.deepEqual([folders.usual, folders.allowed], [`${root}/a`, [
      `${root}/a`,
      `${root}/a/sub`,
    ]]);
    assert.equal(await folders.find("sub"), `${root}/a/sub`);
    for (const path of ["..", `${root}/ab`, "out", "/", "sub/../../ab"]) {
      await assert.rejects(folders.find(path), {
        name: "RangeError",
        message: `Cannot work in ${path}: it is not in ${root}/a or ${root}/a/sub; ` +
          "start the server with --allow-dir for it",
      });
    }
    await assert.rejects(WorkingFolders.open(hostFs(), root, ["missing"]), {
      name: "UsageError",
      message: "Cannot work in missing: there is no such folder",
    });
  });
});
