import assert from "node:assert/strict";
import { gnuAnswers } from "./answers.ts";
import { type Bytes, type GnuAnswer, type GnuCase, sha256 } from "./case.ts";
import { Records } from "./records.ts";

const bytes = (text: string): Bytes => new TextEncoder().encode(text);

const answer = (stdout: GnuAnswer["stdout"], rest: Partial<GnuAnswer> = {}): GnuAnswer => ({
  stdout,
  stderr: bytes(""),
  status: 0,
  files: {},
  executable: [],
  ...rest,
});

/** Bytes that cannot be compressed. */
const noise = (length: number): Bytes => {
  let state = 1;
  return Uint8Array.from({ length }, () => {
    state = Math.imul(state, 1103515245) + 12345 & 0x7fffffff;
    return state >> 16;
  });
};

const cases: readonly (readonly [GnuCase, GnuAnswer])[] = [
  [{ args: [] }, answer(bytes(""))],
  [{ args: ["-x", "\u00e9\n"], stdin: bytes("a\n"), seekable: true }, answer(bytes("\ufeffa\r\n"))],
  [{ args: ["-x", "\u00e9\n"], stdin: bytes("a\n") }, answer(Uint8Array.of(0, 0xff, 10))],
  [{ args: ["long"], stdin: bytes("x".repeat(900_000)) }, answer(bytes("y".repeat(900_000)))],
  [
    { args: ["f"], files: { f: bytes("1"), "k/": bytes(""), x: [bytes("2"), 0o755] } },
    answer(bytes(""), { status: 2, stderr: bytes("sort: it's wrong\n") }),
  ],
  [
    { args: ["f"], files: { f: bytes("1") }, compare: "all" },
    answer(bytes(""), { files: { "k/g": noise(5000), f: bytes("1") }, executable: ["k/g"] }),
  ],
];

function recordsOf(all: typeof cases): Records {
  const records = new Records("sort", "sort 1");
  for (const [test, its] of all) records.add(test, its);
  return records;
}

Deno.test("Records gives each case and its answer back, read from its own text", () => {
  const read = Records.parse(recordsOf(cases).toString());
  assert.deepEqual([read.tool, read.version, read.size], ["sort", "sort 1", cases.length]);
  for (const [test, its] of cases) assert.deepEqual(read.find(test), its);
  const again = new Records("sort", "sort 1");
  for (const [test, its] of read.cases()) again.add(test, its);
  assert.equal(again.toString(), read.toString());
});

Deno.test("Records has the same text whatever the order in which cases are added", () => {
  const text = recordsOf(cases).toString();
  assert.equal(recordsOf(cases.toReversed()).toString(), text);
  assert.equal(Records.parse(text).toString(), text);
});

Deno.test("Records keeps cases apart by words, input, kind of input, files and what is compared", () => {
  const records = recordsOf(cases);
  const others: GnuCase[] = [
    { args: [], stdin: bytes("a") },
    { args: [], seekable: true },
    { args: ["long"] },
    { args: ["f"], files: { f: bytes("2") }, compare: "all" },
    { args: ["f"], files: { f: bytes("1") } },
    { args: ["f"], files: { f: bytes("1"), "k/": bytes(""), x: [bytes("2"), 0o644] } },
  ];
  for (const test of others) assert.equal(records.find(test), undefined);
});

Deno.test("Records keeps a digest of output that is large, and all of it where it is input, too", () => {
  const large = noise(50_000);
  const digest = { length: large.length, sha256: sha256(large) };
  const test: GnuCase = { args: ["-a"] };
  const written = recordsOf([[test, answer(large)]]).toString();
  assert.ok(written.length < 500);
  assert.deepEqual(Records.parse(written).find(test)?.stdout, digest);
  for (const order of [[0, 1], [1, 0]]) {
    const both = [[test, answer(large)], [{ args: ["-b"], stdin: large }, answer(large)]] as const;
    const records = recordsOf(order.map((i) => both[i] ?? both[0]));
    assert.deepEqual(Records.parse(records.toString()).find(test)?.stdout, large);
  }
});

Deno.test("gnuAnswers names the cases without an answer, and how to record them", () => {
  if (Deno.env.has("GNU_CASES")) return;
  assert.throws(
    () => gnuAnswers("nosuch", [{ args: ["-x", "a b"] }, { args: [] }]),
    /^Error: 2 of 2 cases have no recorded answer of nosuch \(.*: deno task gnu --update\):\n {2}nosuch -x 'a b'\n {2}nosuch$/,
  );
});
