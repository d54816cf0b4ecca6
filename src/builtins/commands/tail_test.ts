import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { testSeed } from "../../streams/_testing.ts";
import { agree, bytes, randomFrom, runOurs } from "../_testing.ts";
import { optional, thorough } from "../../../tests/_optional.ts";

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
    "-c 10E . f",
    "-c +10E . f",
    "-c 7E . f",
    "-c +7E . f",
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

Deno.test(optional("tail keeps the right lines and bytes of a long stream", thorough), async () => {
  const seed = testSeed();
  const random = randomFrom(seed);
  const lines: string[] = [];
  for (let size = 0; size < 3e6;) {
    // Alternates short and long lines, so that the kept part grows and shrinks.
    const long = size % 1e6 < 5e5;
    const line = "x".repeat(Math.floor(random() ** 3 * (long ? 5000 : 40)));
    lines.push(line);
    size += line.length + 1;
  }
  for (const end of ["", "\n"]) {
    const text = lines.join("\n") + end;
    const stdin = bytes(text);
    const ends = [1, lines.length - 1, lines.length];
    for (const count of end === "" ? ends : [...ends, 2, 700, 20_000, lines.length + 5]) {
      const run = await runOurs("tail", { args: ["-n", String(count)], stdin }, random);
      const wanted = lines.slice(Math.max(0, lines.length - count)).join("\n") + end;
      assert.ok(Buffer.compare(run.stdout, bytes(wanted)) === 0, `seed ${seed}: -n ${count}`);
    }
    for (const count of [1, 65_536, 100_001, 1_048_576, text.length - 1, text.length + 1]) {
      const run = await runOurs("tail", { args: ["-c", String(count)], stdin }, random);
      const wanted = stdin.subarray(Math.max(0, text.length - count));
      assert.ok(Buffer.compare(run.stdout, wanted) === 0, `seed ${seed}: -c ${count}`);
    }
  }
});
