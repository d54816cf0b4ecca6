import assert from "node:assert/strict";
import { isLocked, programLock } from "./mod.ts";

/** The program that is killed; prints the name of its lock file. */
async function mark(folder: string): Promise<never> {
  const { name } = await programLock(folder);
  Deno.stdout.writeSync(new TextEncoder().encode(name));
  return await new Promise(() => setInterval(() => {}, 1000));
}

Deno.test("programLock marks a program until it lets go, or is killed", async () => {
  const folder = await Deno.makeTempDir();
  const marks = `${folder}/state/writers`;
  const names = () => [...Deno.readDirSync(marks)].map(({ name }) => name).sort();
  try {
    const own = await programLock(marks);
    assert.equal(own.pid, Deno.pid);
    const other = new Deno.Command(Deno.execPath(), {
      args: ["run", "--quiet", "--no-lock", "--allow-all", import.meta.url, marks],
      stdin: "null",
      stdout: "piped",
    }).spawn();
    const reader = other.stdout.pipeThrough(new TextDecoderStream()).getReader();
    const name = (await reader.read()).value ?? "";
    assert.match(name, new RegExp(`^${other.pid}-[0-9a-f-]{36}$`));
    assert.deepEqual(names(), [own.name, name].sort());
    assert.equal(await isLocked(marks, own.name), true);
    assert.equal(await isLocked(marks, name), true);
    assert.equal(await isLocked(marks, "1-none"), false);
    assert.equal(await isLocked(`${marks}/none`, `../${name}`), false);
    assert.equal(await isLocked(marks, `../writers/${name}`), false, "no name of a file");
    other.kill("SIGKILL");
    await other.status;
    await reader.cancel();
    // The next program removes its file.
    const next = await programLock(marks);
    assert.deepEqual(names(), [own.name, next.name].sort());
    assert.equal(await isLocked(marks, name), false);
    await own.release();
    assert.equal(await isLocked(marks, own.name), false);
    assert.equal(await isLocked(marks, next.name), true);
    await next.release();
    assert.deepEqual(names(), []);
    const { mode } = await Deno.stat(marks);
    assert.equal((mode ?? 0) & 0o777, 0o700);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("programLock says what is wrong with a folder", async () => {
  await assert.rejects(() => programLock("/dev/null/writers"), {
    name: "FileError",
    message: /^Cannot write \/dev\/null\/writers\/.*: /,
  });
});

if (import.meta.main && Deno.args[0] !== undefined) await mark(Deno.args[0]);
