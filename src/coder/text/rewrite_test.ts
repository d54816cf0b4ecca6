import assert from "node:assert/strict";
import { rewrite } from "./rewrite.ts";
import { plainFormat, type TextFormat } from "./text_format.ts";

const CASES: [
  name: string,
  old: Partial<TextFormat>,
  content: string,
  text: string,
  notes: string[],
][] = [
  ["LF stays LF", { lineEnd: "\n" }, "a\n", "a\n", []],
  ["CRLF stays CRLF", { lineEnd: "\r\n" }, "a\r\n", "a\r\n", []],
  ["CRLF is kept for LF", { lineEnd: "\r\n" }, "a\nb\r\n", "a\r\nb\r\n", [
    "Written with CRLF line ends, as the file was",
  ]],
  ["CR is kept for LF", { lineEnd: "\r" }, "a\nb\n", "a\rb\r", [
    "Written with CR line ends, as the file was",
  ]],
  ["CRLF for LF is told", { lineEnd: "\n" }, "a\r\n", "a\r\n", [
    "The line ends are CRLF now, they were LF",
  ]],
  ["new mixed line ends are told", { lineEnd: "\n" }, "a\r\nb\n", "a\r\nb\n", [
    "The line ends are mixed now, they were LF",
  ]],
  ["mixed line ends become those of most", { lineEnd: "\r\n", mixed: true }, "a\n", "a\r\n", [
    "Written with CRLF line ends, as the file was",
    "The line ends are CRLF now, they were mixed",
  ]],
  ["mixed, mostly LF", { lineEnd: "\n", mixed: true }, "a\n", "a\n", [
    "The line ends are LF now, they were mixed",
  ]],
  ["no line ends before", {}, "a\r\n", "a\r\n", []],
  ["no line ends now", { lineEnd: "\r\n" }, "a", "a", []],
  ["a mark is kept", { bom: true }, "a", "a", [
    "Written with a byte order mark, as the file was",
  ]],
  ["a mark is not doubled", { bom: true }, "\ufeffa", "a", []],
  ["a new mark is told", {}, "\ufeffa", "a", ["The file begins with a byte order mark now"]],
  [
    "encoding, mark and line ends",
    { encoding: "UTF-16LE", bom: true, lineEnd: "\r\n" },
    "a\n",
    "a\r\n",
    ["Written in UTF-16LE, with a byte order mark, with CRLF line ends, as the file was"],
  ],
  ["stray bytes are gone", { strays: 2 }, "a", "a", []],
];

for (const [name, old, content, text, notes] of CASES) {
  Deno.test(`rewrite: ${name}`, () => {
    const made = rewrite(content, { ...plainFormat, ...old });
    assert.deepEqual([made.text, made.notes], [text, notes]);
    const bom = old.bom === true || content.startsWith("\ufeff");
    assert.deepEqual(made.format, { ...plainFormat, ...old, bom, strays: 0 });
  });
}
