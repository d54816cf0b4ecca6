import assert from "node:assert/strict";
import { LimitError, MemorySink, memorySource } from "../../../streams/mod.ts";
import { agree, bytes, latin1, memoryTemp, runOurs } from "../../_testing.ts";
import { Stage } from "../../run/stage.ts";
import { optional, thorough } from "../../../../tests/_optional.ts";

const inputs = {
  words: bytes("a bb ccc\n\n  dd\te\nlongword x y z  \n"),
  commas: bytes("a,b,,c\n,x\ny\n,,\n"),
  wide: bytes(
    "\u65e5\u672c x\n\u00e9 y\nabc z\ne\u0301x q\n\u{1f600} s\n\u30c6\u30b9\u30c8,\u3000,1\n",
  ),
  "no final newline": bytes("one 1\ntwo 22\nthree"),
  "invalid UTF-8": Uint8Array.of(...bytes("a"), 0xff, ...bytes(" b\\x41\nok"), 0xe2, 0x82, 10),
  controls: bytes("a,b\tc\x0b,d\nzzz,y\x7f,q\n1\t2,3,4\n"),
  CRLF: bytes("b 1\r\na 22\r\n"),
  numbers: bytes(Array.from({ length: 60 }, (_, i) => `${i * i * i}\n`).join("")),
  blank: bytes("\n  \n\t\n"),
  empty: bytes(""),
};

Deno.test("column -t agrees with util-linux", async () => {
  await agree("column", [
    "-t",
    "-t f g",
    "-t -s,",
    "-t -s , -o '|'",
    "-t -s ', '",
    "-t -s ''",
    "-ts \u00e9",
    "-ts '\u3000,'",
    "-t -o ''",
    "-t -o ' \u2502 '",
    "-t -N A,B",
    "-t -N A,B,C,D,E,F",
    "-t -N AAAAAAAAAAAAAAAA,B -d",
    "-t -N '\u65e5\u672c,\u00e9' -R 1",
    "-t -N A,,B",
    "--table-columns=NAME,SIZE -t --table-right=SIZE",
    "-t -R 1",
    "-t -R 2,1",
    "-t -R 0",
    "-t -R 9",
    "-t -N A,B,C,D -R A,C",
    "-t -H 2",
    "-t -N A,B -H A",
    "-t -N A,B -H -",
    "-t -N A -s, -H 1",
    "-t -O 2",
    "-t -N A,B,C,D -O C,A",
    "-t -O 2 -H 1",
    "-t -l 1",
    "-t -l 9",
    "-t -s, -l 2",
    "-t -s, -l 3",
    "-t -d",
    "-t -c 10",
    "-t .",
  ], { inputs });
});

Deno.test("column without -t agrees with util-linux", async () => {
  const lines = ["", "-x", "-c 20", "-c 24 -x", "-c 40", "-c 41 -x", "-c 5", "-c 0", "-c 200 -x"];
  await agree("column", [...lines, "f g", "-s, g", "-o x g", "-L", "-c 1000"], {
    inputs,
  });
});

Deno.test("column agrees with util-linux on wrong usage", async () => {
  await agree("column", [
    "-t -N A -R Z",
    "-t -H Z",
    "-t -O Z",
    "-t -R -",
    "-t -R 1-2",
    "-N A",
    "-R 1",
    "-t -x",
    "-t -l 0",
    "-t -l x",
    "-t -l -1",
    "-c x",
    "-c -1",
    "-c 10x",
    "-c 4294967296",
    "-N",
    "-Z",
    "--nosuch",
  ], { inputs: { words: inputs.words } });
});

Deno.test("column reads - as standard input and fails where an input is missing, after the others", async () => {
  const files = { f: bytes("a b\n") };
  const { status, stdout, stderr } = await runOurs("column", {
    args: ["-t", "-", "missing", "f"],
    stdin: bytes("xx y\n"),
    files,
  });
  assert.deepEqual([status, latin1(stdout)], [1, "xx  y\na   b\n"]);
  assert.equal(stderr, "column: missing: No such file or directory\n");
});

Deno.test("column refuses what it does not do, and says so", async () => {
  for (
    const args of [["-t", "-J"], ["-t", "-e"], ["--json"], ["-t", "-T", "1"], ["-t", "-r", "1"]]
  ) {
    const { status, stderr } = await runOurs("column", { args, stdin: inputs.words });
    const option = args.find((word) => /^-[eJTr-]/.test(word));
    assert.deepEqual([status, stderr], [1, `column: option '${option}' is not supported\n`]);
  }
});

Deno.test("column -t -L makes a row of an empty line", async () => {
  const { stdout } = await runOurs("column", {
    args: ["-t", "-L"],
    stdin: bytes("a bb\n \ncc d\n"),
  });
  assert.deepEqual(stdout, bytes("a   bb\n    \ncc  d\n"));
});

Deno.test("column -t -l gives the last column the rest of the line", async () => {
  const stdin = bytes("1  GET   /a b\n22 POST /\n");
  const { stdout } = await runOurs("column", { args: ["-t", "-l", "2"], stdin });
  assert.deepEqual(stdout, bytes("1   GET   /a b\n22  POST /\n"));
});

async function print(
  args: readonly string[],
  text: string,
  temp: boolean,
): Promise<string> {
  const stage = new Stage("column", args, {
    stdin: memorySource(text, { chunkSize: 60_001, seekable: false }),
    warn: assert.fail,
    signal: new AbortController().signal,
    limits: { heldBytesWithoutTemp: 1_000_000 },
    ...(temp && { temp: () => Promise.resolve(memoryTemp()) }),
  });
  const out = new MemorySink();
  for await (const chunk of stage) await out.write(chunk);
  return out.text();
}

Deno.test(
  optional(
    "column of more than fits in memory goes through temporary storage, or ends at its limit",
    thorough,
  ),
  async () => {
    const lines = Array.from({ length: 800_000 }, (_, i) => `k${i % 1000} ${i}`);
    const text = `${lines.join("\n")}\n${"w".repeat(9)} 1\n`;
    assert.ok(text.length > 8 * 1024 * 1024);
    const rows = (await print(["-t"], text, true)).split("\n");
    assert.equal(rows.length, 800_002);
    assert.ok(rows.slice(0, -2).every((row, i) => row === `k${i % 1000}`.padEnd(11) + i));
    const side = (await print(["-c", "80"], text, true)).split("\n");
    // Columns are 16 wide: five with 160,001 rows, the last one shorter.
    assert.equal(side.length, 160_002);
    assert.deepEqual(side[7]?.split("\t").filter((cell) => cell !== ""), [
      lines[7],
      lines[160_008],
      lines[320_009],
      lines[480_010],
      lines[640_011],
    ]);
    for (const args of [["-t"], []]) {
      await assert.rejects(
        print(args, text, false),
        (error) => error instanceof LimitError && /heldBytesWithoutTemp/.test(error.message),
      );
    }
  },
);
