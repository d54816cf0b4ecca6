import assert from "node:assert/strict";
import { agree, agreeOn, bytes, latin1, randomFrom, runOurs } from "../../_testing.ts";

Deno.test("wc agrees with GNU on common use", async () => {
  await agree("wc", [
    "",
    "-",
    "f",
    "f g",
    "f -",
    "- f",
    "-l",
    "-l f",
    "-l f g",
    "-w",
    "-w f g",
    "-c",
    "-c f",
    "-c f g",
    "-m",
    "-m f",
    "-m f g",
    "-L",
    "-L f",
    "-L f g",
    "-lw",
    "-wl f",
    "-lc f",
    "-cm",
    "-ml f g",
    "-lwcmL",
    "-lwmcL f g",
    "--lines",
    "--words f",
    "--bytes",
    "--chars",
    "--max-line-length",
    "--max f",
    "--li",
    "--by",
    "f f f",
    "missing",
    "f missing",
    "missing g f",
    ".",
    "f . g",
    "-l .",
    "-l missing",
    "-z",
    "--nosuch",
    "--lines=1",
    "-- f",
    "-L -- g",
    "-c g -",
    "-wL - g",
    "''",
    "--files0-from",
    "--files0-from=missing",
    "--files0-from=. ",
    "--files0-from=f g",
    "--w g",
  ]);
});

Deno.test("wc --files0-from agrees with GNU", async () => {
  await agree("wc", [
    "--files0-from=-",
    "--files0-from=list",
    "-l --files0-from=list",
    "-c --files0-from=- ",
  ], {
    inputs: {
      names: bytes("f\0g"),
      terminated: bytes("g\0g\0"),
      empty: bytes("\0g\0"),
      dash: bytes("g\0-\0"),
      none: bytes(""),
      "one and an empty one": bytes("g\0\0"),
      missing: bytes("missing\0g\0"),
    },
    files: { list: bytes("g\0\0missing\0g\0") },
  });
});

Deno.test("wc reports names that it cannot use in their order, and counts them for the width", async () => {
  await agree("wc", [
    ["-l", "", "f"],
    ["missing", "", "f"],
    ["", "missing"],
    ["-l", "f", ""],
    "--files0-from=late",
    ["\t'x"],
    ["\n'"],
  ], { files: { late: bytes("missing\0\0") } });
});

Deno.test("wc counts characters, words and columns of any bytes as GNU does", async () => {
  // The seed is fixed because these cases are recorded.
  const random = randomFrom(1);
  const pieces = [
    "a",
    "b ",
    " ",
    "\t",
    "\n",
    "\r",
    "\f",
    "\v",
    "\x01",
    "\x7f",
    "\0",
    "\u00e9",
    "\u0301",
    "\u00a0",
    "\u2007",
    "\u2060",
    "\u2028",
    "\u3000",
    "\u65e5",
    "\u200b",
    "\u{1f600}",
    "\u{e0001}",
    "\u0378",
    "\u00ad",
    "\u1160",
  ].map(bytes);
  const broken = [
    [0xff],
    [0xc3],
    [0xe3, 0x81],
    [0xed, 0xa0, 0x80],
    [0xf5, 0x80, 0x80, 0x80],
    [0xc0, 0x80],
    [0xfc, 0x84, 0x80, 0x80, 0x80, 0x80],
    [0xf8, 0x80, 0x80, 0x80, 0x80],
    [0x80],
    [0xe0, 0x80, 0x80],
  ].map((each) => Uint8Array.from(each));
  const all = [...pieces, ...pieces, ...broken];
  const cases = Array.from({ length: 150 }, (_, i) => {
    const parts = Array.from(
      { length: 1 + Math.floor(random() * 60) },
      () => all[Math.floor(random() * all.length)] ?? new Uint8Array(0),
    );
    return {
      args: [["-m"], ["-w"], ["-L"], ["-lwmcL"]][i % 4] ?? [],
      stdin: Uint8Array.from(parts.flatMap((part) => [...part])),
    };
  });
  await agreeOn("wc", cases);
});

Deno.test("wc --total says when to print the total", async () => {
  const files = { a: bytes("1\n"), b: bytes("2\n3\n") };
  const run = async (...args: string[]) => {
    const { stdout, stderr, status } = await runOurs("wc", { args, files });
    return [latin1(stdout), stderr, status];
  };
  assert.deepEqual(await run("-l", "--total=only", "a", "b"), ["3\n", "", 0]);
  assert.deepEqual(await run("-l", "--total=never", "a", "b"), ["1 a\n2 b\n", "", 0]);
  assert.deepEqual(await run("-l", "--total=always", "a"), ["1 a\n1 total\n", "", 0]);
  assert.deepEqual(await run("-l", "--total=au", "a"), ["1 a\n", "", 0]);
  const [, message, status] = await run("--total=x");
  assert.equal(status, 1);
  assert.match(
    String(message),
    /^wc: invalid argument \u2018x\u2019 for \u2018--total\u2019\nValid/,
  );
});
