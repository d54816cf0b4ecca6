import assert from "node:assert/strict";
import { privateFiles } from "../../sys/mod.ts";
import { stateKey } from "./state_key.ts";

async function inFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "key-" });
  try {
    await use(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("stateKey makes a key for its owner only, and keeps it", async () => {
  await inFolder(async (folder) => {
    const state = `${folder}/state/llmcmd`;
    const { key, path } = await stateKey(privateFiles(), state);
    assert.match(key, /^llmcmd-[0-9a-f]{64}$/);
    assert.equal(path, `${state}/key`);
    assert.equal(await Deno.readTextFile(path), `${key}\n`);
    assert.equal(((await Deno.stat(path)).mode ?? 0) & 0o777, 0o600);
    assert.equal(((await Deno.stat(state)).mode ?? 0) & 0o777, 0o700);
    assert.deepEqual(await stateKey(privateFiles(), state), { key, path });
    const other = await stateKey(privateFiles(), `${folder}/other`);
    assert.notEqual(other.key, key);
  });
});

Deno.test("stateKey gives one key to all who ask for it first at the same time", async () => {
  await inFolder(async (folder) => {
    const keys = await Promise.all(
      Array.from({ length: 20 }, () => stateKey(privateFiles(), `${folder}/state`)),
    );
    assert.equal(new Set(keys.map(({ key }) => key)).size, 1);
    assert.deepEqual([...Deno.readDirSync(`${folder}/state`)].map(({ name }) => name), ["key"]);
  });
});

Deno.test("stateKey refuses a key that others can read, and a file without one", async () => {
  await inFolder(async (folder) => {
    const { path } = await stateKey(privateFiles(), folder);
    await Deno.chmod(path, 0o644);
    await assert.rejects(stateKey(privateFiles(), folder), {
      name: "ConfigError",
      message: `Other users have access to the key in ${path}: remove it, and a new one is made`,
    });
    for (const text of ["", "\n", "short", `${"x".repeat(40)} ${"y".repeat(40)}`]) {
      await Deno.writeTextFile(path, text);
      await Deno.chmod(path, 0o600);
      await assert.rejects(stateKey(privateFiles(), folder), {
        name: "ConfigError",
        message: `There is no key in ${path}: remove it, and a new one is made`,
      });
    }
  });
});
