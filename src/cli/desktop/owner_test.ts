import assert from "node:assert/strict";
import { desktopOwner } from "./owner.ts";

const noWarning = (message: string) => assert.fail(message);

Deno.test("desktopOwner is the same each time, another for each folder and user", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const state = `${folder}/a/llmcmd`;
    const owner = await desktopOwner(state, "/work", noWarning);
    assert.match(owner, /^[0-9a-f]{64}$/);
    assert.equal(await desktopOwner(state, "/work", noWarning), owner);
    assert.notEqual(await desktopOwner(state, "/other", noWarning), owner);
    assert.notEqual(await desktopOwner(`${folder}/b`, "/work", noWarning), owner);
    assert.equal(((await Deno.stat(`${state}/desktop`)).mode ?? 0) & 0o777, 0o600);
    // The file does not contain the value of the browser's cookie.
    assert.equal((await Deno.readTextFile(`${state}/desktop`)).includes(owner), false);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("desktopOwner is a new one where nothing can be kept", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const first = await desktopOwner(undefined, "/work", noWarning);
    assert.notEqual(await desktopOwner(undefined, "/work", noWarning), first);
    const warnings: string[] = [];
    await Deno.writeTextFile(`${folder}/file`, "");
    const owner = await desktopOwner(`${folder}/file`, "/work", (text) => warnings.push(text));
    assert.match(owner, /^[0-9a-f]{64}$/);
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? "", /^earlier sessions are not listed: Cannot read .*\/desktop: /);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
