import assert from "node:assert/strict";
import { memorySource } from "../../streams/mod.ts";
import { READER_LEFT } from "../builtin.ts";
import { Stage } from "../run/stage.ts";
import { runOurs } from "../_testing.ts";

async function firstBytes(
  args: readonly string[],
  count: number,
): Promise<[string, number | undefined]> {
  const io = {
    stdin: memorySource(""),
    signal: new AbortController().signal,
    warn: (message: string) => assert.fail(message),
  };
  const stage = new Stage("yes", args, io);
  let text = "";
  for await (const chunk of stage) {
    text += new TextDecoder().decode(chunk);
    if (text.length >= count) break;
  }
  return [text.slice(0, count), stage.status];
}

Deno.test("yes repeats its words until the reader leaves", async () => {
  assert.deepEqual(await firstBytes([], 6), ["y\ny\ny\n", READER_LEFT]);
  assert.deepEqual(await firstBytes(["a", "b"], 8), ["a b\na b\n", READER_LEFT]);
  assert.deepEqual(await firstBytes(["--", "-x"], 6), ["-x\n-x\n", READER_LEFT]);
  const long = "x".repeat(100_000);
  assert.deepEqual(await firstBytes([long], 100_001), [`${long}\n`, READER_LEFT]);
});

Deno.test("yes refuses options it does not know", async () => {
  const { status, stderr } = await runOurs("yes", { args: ["a", "-x"] });
  assert.equal(status, 1);
  assert.equal(stderr, "yes: invalid option -- 'x'\nTry 'yes --help' for more information.\n");
});
