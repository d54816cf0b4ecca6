import assert from "node:assert/strict";
import { wrapped } from "./rows.ts";
import { WordWrap } from "./word_wrap.ts";

/** A text that comes in chunks of `size` characters, wrapped at 20 columns. */
function inPieces(text: string, size: number, begin = 0): string {
  const wrap = new WordWrap(() => 21);
  wrap.begin(begin);
  let out = "";
  for (let at = 0; at < text.length; at += size) out += wrap.add(text.slice(at, at + size));
  return out + wrap.end();
}

Deno.test("WordWrap breaks between words, however the text is cut into pieces", () => {
  const cases: [text: string, expected: string][] = [
    ["short", "short"],
    ["some words that do not fit", "some words that do\nnot fit"],
    ["exactly twenty chars and", "exactly twenty chars\nand"],
    ["two  spaces   stay as they are", "two  spaces   stay\nas they are"],
    ["one\n\ntwo\n", "one\n\ntwo\n"],
    ["- an item that is long\n- next", "- an item that is\n  long\n- next"],
    ["12. an item that is long", "12. an item that is\n    long"],
    ["> said by somebody else", "> said by somebody\n  else"],
    [`see ${"x".repeat(30)} there`, `see\n${"x".repeat(30)}\nthere`],
    ["\u65e5\u672c\u8a9e".repeat(4), `${"\u65e5\u672c\u8a9e".repeat(3)}\u65e5\n\u672c\u8a9e`],
    [
      "abc\u65e5\u672c\u8a9e\u65e5\u672c\u8a9e defg hij",
      "abc\u65e5\u672c\u8a9e\u65e5\u672c\u8a9e defg\nhij",
    ],
  ];
  for (const [text, expected] of cases) {
    for (let size = 1; size <= text.length; size++) {
      assert.equal(inPieces(text, size), expected, `${JSON.stringify(text)} by ${size}`);
    }
  }
});

Deno.test("WordWrap leaves code, tables and lines that are set in as they are", () => {
  const long = "a line of code that is wider than the terminal is";
  const texts = [
    `\`\`\`sh\n${long}\n\n${long}\n\`\`\``,
    `~~~~\n\`\`\`\n${long}\n~~~\n~~~~`,
    `    ${long}\n`,
    `\t${long}`,
    `| ${long} |\n|---|`,
  ];
  for (const text of texts) {
    for (let size = 1; size <= text.length; size++) assert.equal(inPieces(text, size), text);
  }
  assert.equal(
    inPieces("```\nx\n```\nwords after a block of code", 5),
    "```\nx\n```\nwords after a block\nof code",
  );
});

Deno.test("WordWrap counts what stands before the text", () => {
  assert.equal(inPieces("one two three four", 3, 7), "one two three\nfour");
});

Deno.test("WordWrap gives words as they come, and holds back only the last", () => {
  const wrap = new WordWrap(() => 80);
  wrap.begin();
  assert.equal(wrap.add("This is the beg"), "This is the");
  assert.equal(wrap.add("inning of"), " beginning");
  assert.equal(wrap.end(), " of");
});

Deno.test("wrapped breaks a text to rows of so many columns", () => {
  assert.equal(wrapped("five char words", 10), "five char\nwords");
});
