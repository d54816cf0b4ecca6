import assert from "node:assert/strict";
import { FileError, privateFiles, processTable } from "./mod.ts";

Deno.test("privateFiles writes for this user only and tells what is missing", async () => {
  const folder = await Deno.realPath(await Deno.makeTempDir());
  const files = privateFiles();
  const mode = async (path: string) => ((await Deno.lstat(path)).mode ?? 0) & 0o777;
  try {
    await files.makeFolder(`${folder}/a/b`);
    await files.makeFolder(`${folder}/a/b`);
    assert.equal(await mode(`${folder}/a`), 0o700);
    await files.write(`${folder}/a/f`, "one");
    await files.write(`${folder}/a/f`, Uint8Array.of(50, 51));
    assert.equal(await mode(`${folder}/a/f`), 0o600);
    assert.equal(await files.readText(`${folder}/a/f`), "23");
    assert.deepEqual([...await files.readBytes(`${folder}/a/f`) ?? []], [50, 51]);
    await Deno.writeTextFile(`${folder}/x`, "x", { mode: 0o755 });
    await Deno.symlink("../x", `${folder}/a/link`);
    await files.copy(`${folder}/x`, `${folder}/new/x`);
    await files.copy(`${folder}/a/link`, `${folder}/new/link`);
    assert.equal(await mode(`${folder}/new/x`), 0o755);
    assert.equal(await Deno.readLink(`${folder}/new/link`), "../x");
    assert.equal(await files.realPath(`${folder}/a/link`), `${folder}/x`);
    assert.deepEqual(await files.list(`${folder}/a`), ["b", "f", "link"]);
    await files.remove(`${folder}/a`);
    await files.remove(`${folder}/a`);
    assert.deepEqual(await files.list(`${folder}/a`), []);
    assert.equal(await files.readText(`${folder}/a/f`), undefined);
    assert.equal(await files.realPath(`${folder}/a`), undefined);
    assert.equal(await files.create(`${folder}/once`, "first"), true);
    assert.equal(await files.create(`${folder}/once`, "second"), false);
    assert.equal(await files.readText(`${folder}/once`), "first");
    assert.deepEqual(await files.list(folder), ["new", "once", "x"]);
    assert.equal(await mode(`${folder}/once`), 0o600);
    assert.equal(await files.isPrivate(`${folder}/once`), true);
    for (const open of [0o640, 0o604, 0o620]) {
      await Deno.chmod(`${folder}/once`, open);
      assert.equal(await files.isPrivate(`${folder}/once`), false);
    }
    await assert.rejects(files.write(`${folder}/none/f`, ""), (error: unknown) => {
      assert.ok(error instanceof FileError);
      assert.equal(error.message, `Cannot write ${folder}/none/f: no such file or folder`);
      return true;
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("processTable tells a process from those before and after it", async () => {
  const { self, startTime } = processTable();
  assert.equal(self, Deno.pid);
  const own = await startTime(self);
  assert.equal(typeof own, "string");
  assert.equal(await startTime(self), own);
  const child = new Deno.Command("sh", { args: ["-c", "read x"], stdin: "piped" }).spawn();
  assert.notEqual(await startTime(child.pid), undefined);
  await child.stdin.close();
  await child.status;
  assert.equal(await startTime(child.pid), undefined);
});
