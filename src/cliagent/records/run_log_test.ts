import assert from "node:assert/strict";
import { filesForTest } from "../_testing.ts";
import { keepTime, RunLog, type RunRecord } from "./mod.ts";

Deno.test("RunLog keeps ended runs with their patches for seven days, also over a new start", async () => {
  const stateFolder = await Deno.makeTempDir();
  try {
    const warnings: string[] = [];
    let time = 1000;
    const ports = {
      files: filesForTest,
      stateFolder,
      now: () => time,
      warn: (message: string) => warnings.push(message),
    };
    const log = await RunLog.open(ports);
    const run = (id: string, queued: number): RunRecord => ({
      id,
      model: "m",
      state: "done",
      queued,
      ended: queued + 1,
    });
    log.set({ id: "going", model: "m", state: "running", queued: 1 });
    await log.keepPatch({ ...run("b", 20), patch: true }, Uint8Array.of(1, 2));
    await log.keep(run("c", 30));
    assert.deepEqual(log.list().map(({ id }) => id), ["c", "b", "going"]);
    assert.deepEqual(log.list(1).map(({ id }) => id), ["c"]);
    await Deno.writeTextFile(`${stateFolder}/runs/odd.json`, "{}");

    const again = await RunLog.open(ports);
    assert.deepEqual(again.list().map(({ id }) => id), ["c", "b"]);
    assert.deepEqual([...await again.patch("b") ?? []], [1, 2]);
    assert.equal(await again.patch("c"), undefined);
    assert.equal(await again.patch("none"), undefined);
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? "", /odd\.json: not a valid record of a run$/);

    time = 21 + keepTime;
    await again.keep(run("d", time));
    assert.deepEqual(again.list().map(({ id }) => id), ["d", "c"]);
    assert.deepEqual(await filesForTest.list(`${stateFolder}/runs`), [
      "c.json",
      "d.json",
      "odd.json",
    ]);
  } finally {
    await Deno.remove(stateFolder, { recursive: true });
  }
});
