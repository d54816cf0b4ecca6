import assert from "node:assert/strict";
import { agree, bytes, runOurs } from "./_testing.ts";

Deno.test("tail agrees with GNU on what head does not have", async () => {
  await agree("tail", [
    "- -",
    "-n +2 - -",
    "-c 3 - f -",
    "-c +3 - -",
    "-n0 missing",
    "-3 f -n 1",
    "-5c f",
    "-1b",
    "-b f",
    "-l",
    "-3l f",
    "+2",
    "+3 f",
    "+1",
    "+0",
    "+2c f",
    "+c",
    "+2l -- f",
    "-2 -- f",
    "-2 f g",
    "-n +1",
    "-n +2 f",
    "-n +0",
    "-n +100",
    "-n +3 f g",
    "-c +3",
    "-c +3 f",
    "-c +0",
    "-c +1000000",
    "-c +120003 f",
    "-z -n +2",
    "--lines=+2",
    "--bytes=+4 f",
    "-n -2",
    "-n +2 -n 3",
    "-n 5 -c 3",
    "-2x",
    "-99999999999999999999999",
    "--retry f",
    "-c 3 . f",
    "-n +1 . f",
    "-n +2 . f",
    "--pid=1 f",
    "--follow=x",
    "--follow=",
    "-n +18446744073709551615 f",
    "-c +2 - f",
  ]);
});

Deno.test("tail -f follows a stream to its end and refuses regular files", async () => {
  const { stdout, status } = await runOurs("tail", { args: ["-fn1"], stdin: bytes("a\nb\n") });
  assert.deepEqual([stdout, status], [bytes("b\n"), 0]);
  const file = await runOurs("tail", { args: ["-f", "f"], files: { f: bytes("a\n") } });
  assert.deepEqual([file.status, file.stderr], [
    2,
    "tail: cannot follow regular files here, only a stream that stays open; leave out -f\n",
  ]);
});
