import assert from "node:assert/strict";
import { agree, bytes, runGnu, words } from "./_testing.ts";

Deno.test("words splits at spaces and takes quotes away", () => {
  assert.deepEqual(words(`-k '2,3 x' "a b"c  \\  ''`), ["-k", "2,3 x", "a bc", " ", ""]);
});

Deno.test("runGnu gives stdout, stderr, status and files of each case", async () => {
  const [one, two] = await runGnu("sort", [
    { args: ["-o", "f", "f"], files: { f: bytes("b\na\n") }, compare: ["f"] },
    { args: ["-z", "missing"], stdin: bytes("x") },
  ]) ?? [];
  assert.deepEqual(one?.files, { f: bytes("a\nb\n") });
  assert.equal(two?.status, 2);
  assert.match(two?.stderr ?? "", /missing/);
});

Deno.test("agree finds a difference", async () => {
  await assert.rejects(
    agree("sort", ["--debug"], { inputs: { text: bytes("b\na\n") } }),
    /1 of 1 differ.*sort '--debug' \(file: text\).*ours.*GNU/s,
  );
});
