import assert from "node:assert/strict";
import { agree, agreeOn, bytes, inputs, randomFrom, runOurs } from "../../_testing.ts";

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
    "--endian=big -x",
    "--endian=big -tx8fFfD",
    "--endian=b",
    "--endian=x",
    "f 9",
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

Deno.test("od writes random numbers of every type as GNU does", async () => {
  // The seed is fixed because these cases are recorded.
  const random = randomFrom(1);
  const types = ["fF", "fD", "d1d2d4d8", "u8x8o8", "fFfD", "u1u2u4", "o1o2o4"];
  const cases = Array.from({ length: 160 }, (_, i) => {
    const stdin = Uint8Array.from({ length: 64 }, () => Math.floor(random() * 256));
    // Some ordinary numbers among them.
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
    }
    return { args: [`-t${types[i % types.length]}`, "-v"], stdin };
  });
  await agreeOn("od", cases);
});

Deno.test("od refuses strings, old offsets, long doubles and very wide lines", async () => {
  const strings = "use grep -a -o '[[:print:]]\\{N,\\}' for strings of N characters";
  const cases: readonly (readonly [line: string, message: string])[] = [
    ["-S 3", `option '-S' is not supported: ${strings}`],
    ["--strings", `option '--strings' is not supported: ${strings}`],
    ["--traditional f 5", "option '--traditional' is not supported: use -j for the offset"],
    ["f +5", "offset '+5' is not supported: use -j (octal after a 0)"],
    ["-t fL", "type 'fL' is not supported: use -t fD for 8 bytes"],
    ["-tf16", "type 'f16' is not supported: use -t fD for 8 bytes"],
    ["-w5000", "width 5000 is not supported: use 4096 at most"],
  ];
  for (const [line, message] of cases) {
    const { stdout, stderr, status } = await runOurs("od", { args: line.split(" ") });
    assert.equal(stderr.split("\n")[0], `od: ${message}`);
    assert.deepEqual([status, stdout.length], [1, 0]);
  }
});
