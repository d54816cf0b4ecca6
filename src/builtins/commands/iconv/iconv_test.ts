import assert from "node:assert/strict";
import { agree, bytes, latin1, runOurs } from "../../_testing.ts";
import { encodingNames, findEncoding } from "./encodings.ts";

const text = bytes("caf\u00e9\u2019 \u20ac x\n\u65e5\u672c \u{1f600}\n");
const inputs = {
  text,
  ASCII: bytes("plain text\n"),
  "byte-order mark": bytes("\ufeffx\n"),
  "invalid UTF-8": Uint8Array.of(...bytes("abc"), 0xff, 0xfe, ...bytes("d\u00e9f"), 0xe2, 0x82, 88),
  surrogate: Uint8Array.of(97, 0xed, 0xa0, 0x80, 98),
  incomplete: Uint8Array.of(97, 98, 0xe2, 0x82),
  empty: bytes(""),
};

/** Removes quotes and the hint: glibc's messages quote as `this', and its hint is another. */
const normalise = (stderr: string): string =>
  stderr.replaceAll("`", "").replaceAll("'", "").replace(/^Try iconv.*\n/m, "");

Deno.test("iconv agrees with glibc from UTF-8", async () => {
  await agree("iconv", [
    "-f UTF-8 -t UTF-8",
    "-t UTF-16",
    "-f utf8 -t utf16",
    "-t UTF-16LE",
    "-t UTF-16BE",
    "-t UTF-32",
    "-t UTF-32LE",
    "-t UTF-32BE",
    "-t UCS-2",
    "-t UCS-2BE",
    "-t UCS-4",
    "-t UCS-4LE",
    "-t ASCII",
    "-t latin1",
    "-t ISO-8859-15",
    "-t CP1252",
    "-t koi8-r",
    "-c -t latin1",
    "-c -t ASCII",
    "-c -t UTF-16LE",
    "-c -t UCS-2LE",
    "-c -f ascii -t utf-8",
    "-f ascii",
    "--from-code=UTF-8 --to-code=UTF-16 f g",
    "-t UTF-16 g f",
    "-t latin1 missing",
    "-t latin1 missing g",
    ".",
    "-s -t ascii",
  ], { inputs, normalise });
});

Deno.test("iconv agrees with glibc from encodings of wider units", async () => {
  const inputs = {
    "UTF-16LE": Uint8Array.of(97, 0, 0x3d, 0xd8, 0, 0xde, 10, 0),
    "UTF-16BE": Uint8Array.of(0, 97, 0xd8, 0x3d, 0xde, 0, 0, 10),
    "little with mark": Uint8Array.of(0xff, 0xfe, 97, 0, 0xac, 0x20),
    "big with mark": Uint8Array.of(0xfe, 0xff, 0, 97, 0x20, 0xac),
    "mark only": Uint8Array.of(0xff, 0xfe),
    "lone surrogates": Uint8Array.of(97, 0, 0, 0xd8, 98, 0, 0, 0xdc, 99, 0),
    odd: Uint8Array.of(97, 0, 98),
    "half a pair": Uint8Array.of(97, 0, 0x3d, 0xd8),
    "UTF-32LE": Uint8Array.of(0xff, 0xfe, 0, 0, 97, 0, 0, 0, 0, 0xf6, 1, 0),
    "UTF-32BE": Uint8Array.of(0, 0, 0xfe, 0xff, 0, 0, 0, 97, 0, 1, 0xf6, 0),
    "beyond Unicode": Uint8Array.of(97, 0, 0, 0, 0, 0, 0x11, 0, 98, 0, 0, 0),
    empty: bytes(""),
  };
  await agree("iconv", [
    "-f UTF-16",
    "-f UTF-16LE",
    "-f UTF-16BE",
    "-c -f UTF-16LE",
    "-f UTF-32",
    "-f UTF-32LE",
    "-f UTF-32BE",
    "-f UTF-16LE -t latin1",
    "-f UTF-32 -t UTF-16BE",
  ], { inputs, normalise });
});

const everyByte = Uint8Array.from({ length: 256 }, (_, byte) => byte);
const singleByte = encodingNames.map(([name = ""]) => name).filter((name) =>
  /^(?!UTF|UCS|GB|EUC|BIG|SHIFT)/.test(name)
);

Deno.test("iconv reads every byte of encodings of one byte a character as glibc does", async () => {
  // For the other encodings, the web's table differs from glibc's.
  const names = singleByte.filter((name) => !OTHER_TABLES.includes(name));
  await agree("iconv", names.flatMap((name) => [`-c -f ${name}`, `-f ${name} -t UTF-16LE`]), {
    inputs: { "every byte": everyByte },
    normalise,
  });
});

Deno.test("iconv writes what it reads in encodings of one byte a character", async () => {
  for (const name of singleByte) {
    const read = await runOurs("iconv", { args: ["-c", "-f", name], stdin: everyByte });
    const written = await runOurs("iconv", { args: ["-t", name], stdin: read.stdout });
    assert.equal(written.status, 0, name);
    assert.equal(written.stdout.length, new TextDecoder().decode(read.stdout).length, name);
    // Bytes that are not written must be those without a character.
    for (const byte of everyByte) {
      if (written.stdout.includes(byte)) continue;
      const { status } = await runOurs("iconv", { args: ["-f", name], stdin: Uint8Array.of(byte) });
      assert.equal(status, 1, `${name} ${byte}`);
    }
  }
});

/** Encodings whose tables differ in one or two characters; see KNOWN_DIFFERENCES.md. */
const OTHER_TABLES: readonly string[] = ["CP1255", "CP1258", "KOI8-U", "MACINTOSH", "MAC-CYRILLIC"];

Deno.test("iconv reads encodings of several bytes a character as glibc does", async () => {
  const texts: Readonly<Record<string, Uint8Array<ArrayBuffer>>> = {
    SJIS: Uint8Array.of(0x93, 0xfa, 0x96, 0x7b, 10, 0xb1, 0x83, 0x65, 0x83, 0x58, 0x83, 0x67),
    "EUC-JP": Uint8Array.of(0xc6, 0xfc, 0xcb, 0xdc, 32, 0xa5, 0xc6, 0xa5, 0xb9, 10),
    GBK: Uint8Array.of(0xc8, 0xd5, 0xb1, 0xbe, 97, 10, 0xd6, 0xd0, 0xce, 0xc4),
    GB18030: Uint8Array.of(0xd6, 0xd0, 0x94, 0x39, 0xfc, 0x36, 97, 0x81, 0x30, 0x86, 0x38),
    BIG5: Uint8Array.of(0xa4, 0xa4, 0xa4, 0xe5, 10, 97),
    "EUC-KR": Uint8Array.of(0xc7, 0xd1, 0xb1, 0xdb, 10),
  };
  for (const [name, text] of Object.entries(texts)) {
    const inputs = {
      text,
      incomplete: text.subarray(0, 3),
      invalid: joined(text, 0xff, 10),
    };
    await agree("iconv", [`-f ${name}`, `-f ${name} -t UTF-16LE`], {
      inputs,
      normalise,
    });
  }
});

Deno.test("iconv //TRANSLIT writes similar characters as glibc does", async () => {
  await agree("iconv", ["-t ASCII//TRANSLIT", "-t latin1//translit", "-t KOI8-R//TRANSLIT"], {
    inputs: {
      text,
      quotes: bytes("\u201cq\u201d \u2018x\u2019 \u00ab\u00bb \u2013 \u2014 \u2026 \u2022\n"),
      signs: bytes(
        "\u00a9\u00ae\u2122 \u00d7\u00f7\u00b1 \u00bc\u00bd \u2192 \u2264 \u00a3\u00a5\n",
      ),
      letters: bytes("\u00c5\u00e9\u00f1\u017e\u00df\u00e6\u00d8\u0142\u0153\u00fe\u0131\ufb01\n"),
      others: bytes("\u03b1\u65e5\u{1f600}\u2713\n"),
    },
    normalise,
  });
});

async function iconv(args: string, stdin = text): Promise<[number, string, string]> {
  const { status, stdout, stderr } = await runOurs("iconv", { args: args.split(" "), stdin });
  return [status, latin1(stdout), stderr];
}

Deno.test("iconv //IGNORE leaves out what -c leaves out", async () => {
  assert.deepEqual(await iconv("-t ASCII//IGNORE"), await iconv("-c -t ASCII"));
  assert.deepEqual(await iconv("-t ASCII//TRANSLIT//IGNORE", inputs["invalid UTF-8"]), [
    0,
    "abcdefX",
    "",
  ]);
});

Deno.test("iconv names encodings that it does not know, or cannot write, and the way to the list", async () => {
  const list = "not supported; 'iconv -l' lists the encodings\n";
  assert.deepEqual(await iconv("-f nope"), [1, "", `iconv: conversion from 'nope' is ${list}`]);
  assert.deepEqual(await iconv("-f ISO-2022-JP"), [
    1,
    "",
    `iconv: conversion from 'ISO-2022-JP' is ${list}`,
  ]);
  assert.deepEqual(await iconv("-t nope"), [1, "", `iconv: conversion to 'nope' is ${list}`]);
  assert.deepEqual(await iconv("-f a -t b"), [
    1,
    "",
    `iconv: conversions from 'a' and to 'b' are ${list}`,
  ]);
  assert.deepEqual(await iconv("-t SJIS"), [
    1,
    "",
    "iconv: conversion to 'SJIS' is not supported, only from it; 'iconv -l' lists the encodings\n",
  ]);
});

Deno.test("iconv -l lists encodings that can be named", async () => {
  const [status, stdout] = await iconv("-l");
  assert.equal(status, 0);
  const lines = stdout.trimEnd().split("\n");
  assert.ok(lines.length > 45);
  for (const line of lines) {
    const readOnly = line.endsWith(" (from only)");
    for (const name of line.replace(" (from only)", "").split(" ")) {
      const encoding = findEncoding(name.toLowerCase());
      assert.equal(encoding?.encoder === undefined, readOnly, name);
      assert.ok(encoding !== undefined, name);
    }
  }
});

function joined(data: Uint8Array, ...more: number[]): Uint8Array<ArrayBuffer> {
  const result = new Uint8Array(data.length + more.length);
  result.set(data);
  result.set(more, data.length);
  return result;
}

Deno.test("iconv keeps its place over many chunks: the position of a fault is that in the input", async () => {
  const long = bytes("\u00e9 \u65e5\u672c\n".repeat(20_000));
  const stdin = joined(long, 0xff);
  for (const to of ["UTF-8", "UTF-16BE"]) {
    const [status, , stderr] = await iconv(`-t ${to}`, stdin);
    const at = long.length;
    assert.deepEqual([status, stderr], [1, `iconv: illegal input sequence at position ${at}\n`]);
  }
  const sjis = Uint8Array.from({ length: 60_000 }, (_, i) => [0x93, 0xfa, 0x96, 0x7b][i % 4] ?? 0);
  const [, stdout] = await iconv("-f SJIS -t UTF-16BE", sjis);
  assert.equal(stdout, "\x65\xe5\x67\x2c".repeat(15_000));
  const faulty = joined(sjis, 0xff, 10);
  assert.equal(
    (await iconv("-f SJIS", faulty))[2],
    "iconv: illegal input sequence at position 60000\n",
  );
});

Deno.test("iconv -o writes a file, also over its input, which stays where the conversion fails", async () => {
  const run = async (args: string, data: Uint8Array<ArrayBuffer>) => {
    const { status, files, stdout } = await runOurs("iconv", {
      args: args.split(" "),
      files: { f: data },
      compare: ["f", "out"],
    });
    const { f, out } = files;
    return [status, stdout.length, f && latin1(f), out && latin1(out)];
  };
  assert.deepEqual(await run("-t latin1 -o out f", bytes("\u00e9")), [
    0,
    0,
    "\u00c3\u00a9",
    "\u00e9",
  ]);
  assert.deepEqual(await run("-t latin1 -o f f", bytes("\u00e9")), [0, 0, "\u00e9", undefined]);
  assert.deepEqual(await run("-t ascii -o f f", bytes("a\u00e9")), [
    1,
    0,
    "a\u00c3\u00a9",
    undefined,
  ]);
});
