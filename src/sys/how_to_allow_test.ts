import assert from "node:assert/strict";
import { howToAllow } from "./how_to_allow.ts";

Deno.test("howToAllow tells executables, tasks, and programs of deno run and deno install apart", () => {
  const how = (standalone: boolean, mainModule: string) => howToAllow({ standalone, mainModule });
  const started = "add it to the flags of deno run; if this was installed, install it again with " +
    "the flag";
  assert.equal(how(false, "file:///home/a/llmcmd/cli.ts"), started);
  assert.equal(how(false, "https://jsr.io/@llmcmd/llmcmd/0.1.0/cli.ts"), started);
  assert.equal(howToAllow(), started);
  assert.equal(
    how(false, "file:///home/a/llmcmd/tools/llmcmd_task.ts"),
    "the task in deno.json has a fixed set of permissions: run cli.ts with deno run and the flag",
  );
  assert.equal(
    how(true, "file:///tmp/deno-compile-llmcmd/cli.ts"),
    "this executable was compiled without it: make one that has it with deno task build --agent",
  );
});
