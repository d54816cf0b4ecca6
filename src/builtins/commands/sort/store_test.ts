import assert from "node:assert/strict";
import { drain, MemorySink, memorySource } from "../../../streams/mod.ts";
import { Stage } from "../../run/stage.ts";
import { agree, bytes, latin1, randomFrom, runOurs } from "../../_testing.ts";
import { optional, thorough } from "../../../../tests/_optional.ts";

// GNU 9.1 takes the byte 0x80 for a thousands separator (its NON_CHAR), which this test avoids.
Deno.test("sort of many lines agrees with GNU, in memory and through temporary storage", async () => {
  const random = randomFrom(1);
  const line = (i: number) =>
    `2024-01-${10 + i % 20}T${Math.floor(random() * 24)}:00 host${Math.floor(random() * 30)} ${
      Math.floor(random() * 1e6)
    } ${"x".repeat(random() * 40)}`;
  const log = bytes(Array.from({ length: 6000 }, (_, i) => line(i) + "\n").join(""));
  const few = bytes(
    Array.from({ length: 12_000 }, () => `${Math.floor(random() * 50)}\n`).join(""),
  );
  const binary = Uint8Array.from(
    { length: 80_000 },
    () =>
      random() < 0.2 ? 10 : random() < 0.5 ? 0 : 1 + random() * 127 + (random() < 0.5 ? 128 : 0),
  );
  await agree("sort", [
    "",
    "-r",
    "-u",
    "-k3n",
    "-k3nr -S 64K",
    "-k2,2 -s",
    "-k2,2 -u -S 100K",
    "-S 32K",
    "-S 32K -u",
    "-rs -k2,2 -S 64K",
    "-n",
    "-nu",
    "-n -S 20K --batch-size=2",
    "-V -S 200K",
    "-f -S 64K --batch-size=3",
  ], {
    inputs: { log, few, binary },
  });
});

Deno.test(
  optional("sort agrees with GNU on lines that come often, then seldom", thorough),
  async () => {
    const random = randomFrom(2);
    const below = (limit: number) => Math.floor(random() * limit);
    const lines = (count: number, line: () => string): string =>
      Array.from({ length: count }, () => `${line()}\n`).join("");
    const word = (): string =>
      ["", "a", "a ", "ab", "a\0", "\0", "caf\u00e9", "B", "10", "9"][below(10)] ?? "";
    let last = 0;
    const seldom = (): number => last = (last + 7919) % 99_991;
    const inputs = {
      often: bytes(lines(20_000, word)),
      "often, then seldom": bytes(
        lines(10_000, () => `${below(50)} ${word()}`) +
          lines(18_000, () => `${word()}${seldom()}`) +
          lines(3000, () => `${below(50)} ${word()}`),
      ),
      "more and more": bytes(lines(20_000, () => String(below(3000)))),
      "long and often": bytes(lines(60, () => "x".repeat(33_000 + below(2)))),
      "no newline at its end": bytes(lines(9000, word) + "ab"),
    };
    await agree("sort", [
      "",
      "-u",
      "-r",
      "-n",
      "-s -k1,1",
      "-u -n",
      "-k2,2 -u",
      "-k2r",
      "-V",
      "-z",
      "-S 20k",
      "-S 20k -u",
      "-f -u -S 40k",
    ], { inputs });
  },
);

Deno.test("sort holds one of lines that are the same: a limit for all of them is not met", async () => {
  const stage = new Stage("sort", [], {
    stdin: memorySource("b\na\n".repeat(100_000)),
    warn: assert.fail,
    signal: new AbortController().signal,
    limits: { sortBytesWithoutTemp: 100_000 },
  });
  const out = new MemorySink();
  await drain(stage, out);
  assert.equal(out.text(), "a\n".repeat(100_000) + "b\n".repeat(100_000));
});

Deno.test(optional("sort keeps lines whose hashes are made to be the same", thorough), async () => {
  // Lines whose hashes agree in their last bits start at the same slot of the table.
  const chosen: string[] = [];
  for (let i = 0; chosen.length < 3000; i++) {
    const text = i.toString(36).padStart(6, "0");
    let hash = 0x811c9dc5;
    for (const byte of bytes(text)) hash = Math.imul(hash ^ byte, 0x01000193);
    if (((hash ^ (hash >>> 15)) & 0xff) === 0) chosen.push(text);
  }
  const { stdout, status } = await runOurs("sort", {
    args: [],
    stdin: bytes(`${[...chosen, ...chosen].reverse().join("\n")}\n`),
  });
  assert.equal(status, 0);
  assert.equal(latin1(stdout), chosen.flatMap((line) => [`${line}\n`, `${line}\n`]).join(""));
});

Deno.test("sort -V agrees with GNU on names made of what it knows", async () => {
  const random = randomFrom(3);
  const below = (limit: number) => Math.floor(random() * limit);
  const pieces = ["a", "b", "Z", "~", ".", "..", "0", "00", "1", "10", "9", "-", "_", "@", "["]
    .concat([".tar", ".gz", ".~1~", "x2", "\u00e9", ""]);
  const name = () => Array.from({ length: below(6) }, () => pieces[below(pieces.length)]).join("");
  const long = ["254", "255", "256"].map((digits) => "1".repeat(Number(digits)));
  const names = [...Array.from({ length: 2000 }, name), ...long, "0".repeat(300), `${long[1]}a`];
  await agree("sort", ["-V", "-Vs", "-Vu", "-Vr", "-fV", "-dV", "-t. -k2V", "-V -S 20k"], {
    inputs: { names: bytes(`${names.join("\n")}\n`) },
  });
});
