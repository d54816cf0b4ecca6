import assert from "node:assert/strict";
import { LimitError, memorySource } from "../../../streams/mod.ts";
import { agree, agreeOn, bytes, inputs, latin1, randomFrom } from "../../_testing.ts";
import { Stage } from "../../run/stage.ts";

Deno.test("od agrees with GNU on common use", async () => {
  await agree("od", [
    "",
    "-",
    "f",
    "f g",
    "-N 5 f missing",
    "-N 0 f missing",
    "-w3 missing",
    "-w3 -t x2 missing f",
    "-w3 -t x2 -j 2 f",
    "-w3 -t x2 -j 1 .",
    "-w4294967296 -S 3",
    "g - f",
    "-c",
    "-a",
    "-b",
    "-d",
    "-o",
    "-s",
    "-x",
    "-i",
    "-l",
    "-f",
    "-e",
    "-D",
    "-X",
    "-cx",
    "-bc f",
    "-A d",
    "-Ax -c",
    "-An -tx1",
    "-A n",
    "-A q",
    "-t x1z",
    "-tx1z -tc",
    "-t d1u2x4o8",
    "-txC -tdS -tuI -toL",
    "-taz",
    "-t fFz",
    "-t fD -Ad",
    "-tf4f8x1z",
    "-t q",
    "-t q -t x3 -t xz",
    "-t q -S 3",
    "-t q -j x",
    "-t q -Q",
    "-t x3",
    "-t f2",
    "-t dz9",
    "-t d0",
    "-t x16",
    "-t ''",
    "-v",
    "-vx f f",
    "-w",
    "-w4",
    "-w8 -tx1",
    "-w3",
    "-w0",
    "-w5 -tx1",
    "-w9223372036854775 f",
    "-w47370955161 -c",
    "-S 2 -t ''",
    "-j 2 . f",
    "-j 2 f . g",
    "-j 20000000 f . g",
    "-wx",
    "-w1 -c g",
    "--width=12 -tx4",
    "--width",
    "-w99999999999999999999",
    "-j 5",
    "-j 0x10 -N 010",
    "-j1b",
    "-j 1k f f",
    "-N 3",
    "-N0",
    "-N 20 -c f g",
    "-j 3 -N 4 -An -c g f",
    "-j x",
    "-j 1x",
    "-N -1",
    "-j 99999999999999999999999",
    "--skip-bytes=x",
    "-S3",
    "-S 1",
    "-S4 -An",
    "-S4 -Ad f g",
    "--strings",
    "--strings=2 -j 3",
    "-S x",
    "-S3 -tx1",
    "--endian=big -x",
    "--endian=big -tx8fFfD",
    "--endian=b",
    "--endian=x",
    "--traditional",
    "--traditional f 5",
    "--traditional f 5 6",
    "--traditional f g 6",
    "--traditional f 1 2 3",
    "f +5",
    "f 10",
    "f 0x8",
    "f 1b",
    "+5",
    "f 9",
    "-c f +3",
    "-v f +3",
    "missing",
    "missing f",
    "f . g",
    ".",
    "--no",
    "-t",
    "-2",
    "-N",
    "-- f",
  ], { inputs: { ...inputs, "long line": (inputs["long line"] ?? bytes("")).slice(0, 70_000) } });
  await agree("od", ["-tx1", "-c"]);
});

Deno.test("od finds strings in binary data as GNU does", async () => {
  await agree("od", [
    "-S1",
    "-S3",
    "-S3 -N 12",
    "-S3 -N 10",
    "-S3 -j2 -N 14",
    "-S2 -An",
    "-S0",
    "-S5 -Ax",
    "-S8",
    // Where no string has room before the limit, nothing more is read.
    "-S4 -N4 -An",
    "-S3 -N5 -An",
    "-S4 -N 13 -An - missing",
    "-S9 -N9 -An - missing",
    "-S3 -N6 -j1 -An - missing",
    "-S2 -N3 -An - missing",
  ], {
    inputs: {
      several: bytes("abc\0defgh\0\0ij\0\x01klmno\0pq\nrst\0uvw"),
      open: bytes("abcdefgh"),
      short: bytes("ab\0"),
      none: bytes(""),
    },
  });
});

Deno.test("od writes random numbers of every type as GNU does", async () => {
  // The same each time: these cases are recorded.
  const random = randomFrom(1);
  const types = ["fF", "fD", "fL", "d1d2d4d8", "u8x8o8", "fFfDfL", "u1u2u4", "o1o2o4"];
  const cases = Array.from({ length: 160 }, (_, i) => {
    const stdin = Uint8Array.from({ length: 64 }, () => Math.floor(random() * 256));
    // Ordinary numbers, and for the long doubles the integer bit.
    for (let at = 0; at < 64; at += 16) {
      const view = new DataView(stdin.buffer, at);
      if (random() < 0.3) {
        view.setFloat64(0, Math.round(random() * 1e6) / 10 ** Math.floor(random() * 6), true);
        view.setFloat64(8, random() * 10 ** Math.floor(random() * 40 - 20), true);
      } else if (random() < 0.5) {
        view.setFloat32(0, Math.round(random() * 1e4) / 100, true);
        view.setFloat32(4, random() * 10 ** Math.floor(random() * 20 - 10), true);
        view.setFloat32(8, [0, -0, Infinity, NaN, 1e-40, 5e-324][Math.floor(random() * 6)] ?? 0);
      }
      if (types[i % types.length]?.includes("L") === true && random() < 0.8) {
        stdin[at + 7] = (stdin[at + 7] ?? 0) | 0x80;
        if (random() < 0.5) view.setUint16(8, 16383 + Math.floor(random() * 200 - 100), true);
        if (random() < 0.1) view.setUint16(8, 0x7fff, true);
        if (random() < 0.1) view.setUint16(8, 0, true);
        // The C library takes no integer bit where the exponent is zero.
        if ((view.getUint16(8, true) & 0x7fff) === 0) {
          stdin[at + 7] = (stdin[at + 7] ?? 0) & 0x7f;
        }
      }
    }
    return { args: [`-t${types[i % types.length]}`, "-v"], stdin };
  });
  await agreeOn("od", cases);
});

Deno.test("od -S holds a string up to the limit, and no longer one", async () => {
  const stage = (size: number): Stage =>
    new Stage("od", ["-S", "3"], {
      stdin: memorySource(`${"x".repeat(size)}\0`, { chunkSize: 7 }),
      warn: assert.fail,
      signal: new AbortController().signal,
      limits: { lineBytes: 20 },
    });
  let text = "";
  for await (const chunk of stage(20)) text += latin1(chunk);
  assert.equal(text, `0000000 ${"x".repeat(20)}\n`);
  await assert.rejects(
    stage(21).next(),
    (error) =>
      error instanceof LimitError && error.message.includes("longer than lineBytes (20 bytes)"),
  );
});
