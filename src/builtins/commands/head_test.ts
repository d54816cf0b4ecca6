import assert from "node:assert/strict";
import { agree, bytes, latin1, runOurs } from "../_testing.ts";

Deno.test("head agrees with GNU on what tail does not have", async () => {
  await agree("head", [
    "-c -12E",
    "-c -7E",
    "-n -12E",
    "-3 f g",
    "-2q f g",
    "-2v f",
    "-1z",
    "-1k",
    "-1b f",
    "-1m",
    "-3l",
    "-3cl",
    "-3lc",
    "-3x",
    "-2qv f",
    "-n -1",
    "-n -2 f",
    "-n -0",
    "-n -100",
    "-n -3 f g",
    "-c -3",
    "-c -3 f",
    "-c -0",
    "-c -1000000",
    "-c -120003 f",
    "-z -n -1",
    "--lines=-2",
    "--bytes=-4 f",
    "-n +2",
    "-n 1kD",
    "-c -99999999999999999999",
    "-n 2w",
    "-c -9223372036854775808 -n 4",
    "-c -9223372036854775808 --b=2 f",
    "-c -8EiB",
    "-c -9223372036854775807",
    "-n 18446744073709551615 f",
    "-n -18446744073709551615 f",
  ]);
});

Deno.test("head goes on where it left standard input when that is a file and - comes again", async () => {
  const run = async (...args: string[]) =>
    latin1((await runOurs("head", { args, stdin: bytes("a\nb\nc\nd\n"), seekable: true })).stdout);
  assert.equal(await run("-qn1", "-", "-"), "a\nb\n");
  assert.equal(await run("-qc3", "-", "-"), "a\nb\nc\n");
});
