import assert from "node:assert/strict";
import { agree, agreeOn, bytes, randomFrom, runOurs } from "../../_testing.ts";
import { testSeed } from "../../../streams/_testing.ts";

Deno.test("base64 agrees with GNU on common use", async () => {
  await agree("base64", [
    "",
    "-",
    "f",
    "g",
    "-w0",
    "-w 9223372036854775",
    "-w 9223372036854775807",
    "-w 9223372036854775808",
    "-w 0 f",
    "-w1",
    "-w3 f",
    "-w4",
    "-w5 g",
    "-w 75",
    "-w76",
    "-w 77",
    "-w1000",
    "--wrap=20",
    "--wr 7",
    "-w 99999999999999999999999",
    "-w -1",
    "-w -0",
    "-w x",
    "-w 1k",
    "-w ''",
    "-w ' 8'",
    "-w +9",
    "-d",
    "-d f",
    "-di",
    "-d -i g",
    "--decode --ignore-garbage",
    "--dec",
    "-D",
    "-i",
    "f g",
    "f g h",
    "missing",
    "-d missing",
    ".",
    "-d .",
    "--nosuch",
    "--decode=1",
    "--wrap",
    "-w",
    "-- f",
    "-diw3",
    "''",
  ]);
});

Deno.test("base64 -d gives what GNU gives of good and of broken data", async () => {
  // The seed is fixed because these cases are recorded.
  const random = randomFrom(1);
  const pieces = ["aGk=", "aGkh", "YQ==", "\n", "\n\n", "=", "a", "Zm9v", "*", "\r\n", "A", "\0"];
  const cases = Array.from({ length: 300 }, (_, i) => ({
    args: i % 3 === 0 ? ["-di"] : ["-d"],
    stdin: bytes(
      Array.from(
        { length: Math.floor(random() * 12) },
        () => pieces[Math.floor(random() ** 2 * pieces.length)] ?? "",
      ).join(""),
    ),
  }));
  await agreeOn("base64", cases);
});

Deno.test("base64 -d gives back what base64 made of any bytes", async () => {
  const seed = testSeed();
  const random = randomFrom(seed);
  for (let length = 0; length < 200; length += 1 + Math.floor(random() * 5)) {
    const data = Uint8Array.from({ length }, () => Math.floor(random() * 256));
    const wrap = String(Math.floor(random() * 30));
    const encoded = await runOurs("base64", { args: ["-w", wrap], stdin: data }, random);
    const decoded = await runOurs("base64", { args: ["-d"], stdin: encoded.stdout }, random);
    assert.deepEqual([...decoded.stdout], [...data], `seed ${seed}, ${length} bytes`);
    assert.equal(decoded.status, 0);
  }
});
