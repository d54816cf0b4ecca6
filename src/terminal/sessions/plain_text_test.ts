import assert from "node:assert/strict";
import { PlainText } from "./plain_text.ts";

/** The text that a reader gets from these chunks; in `<>` the rest that needs a screen. */
function read(chunks: readonly string[], columns = 80): string {
  let text = "";
  const plain = new PlainText({ columns, reply: () => {}, emit: (part) => text += part });
  for (const chunk of chunks) {
    const rest = plain.write(chunk);
    if (rest !== undefined) return `${text}${plain.partial}<${JSON.stringify(rest)}>`;
  }
  return (text + plain.partial).replaceAll(/\r+\n/g, "\n");
}

const CASES: readonly [string, string, string][] = [
  ["whole lines", "a\r\nb\r\n", "a\nb\n"],
  ["colours and titles are left out", "\x1b[1;32mok\x1b[0m \x1b]0;title\x07done\r\n", "ok done\n"],
  ["a string ended by ST", "\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\\r\n", "link\n"],
  ["a progress bar", "10%\r50%\r100%\r\n", "100%\n"],
  ["a shorter text over a longer one", "Loading...\rDone\x1b[K\r\n", "Done\n"],
  ["text that was blanked", "busy\r    \rok\r\n", "ok\n"],
  ["backspace", "helpo\b\blo\r\n", "hello\n"],
  ["a spinner", "-\b\\\b|\b/\b \bdone\r\n", "done\n"],
  ["deleted characters", "abcd\x1b[2D\x1b[P\r\n", "abd\n"],
  ["inserted characters", "ad\b\x1b[2@bc\r\n", "abcd\n"],
  ["a column", "abc\x1b[2GX\r\n", "aXc\n"],
  ["tabs stay", "a\tb\r\n", "a\tb\n"],
  ["wide characters take two columns", "\u6f22x\b\b\b\u5b57\r\n", "\u5b57x\n"],
  ["combining characters stay with theirs", "e\u0301x\b\u00fc\r\n", "e\u0301\u00fc\n"],
  ["a line feed alone", "a\nb\n", "a\nb\n"],
  ["several carriage returns", "a\r\r\nb\r\n", "a\nb\n"],
  ["a bell", "a\x07b\r\n", "ab\n"],
  ["the charset of line drawing", "\x1b(B\x1b)0a\r\n", "a\n"],
  ["bracketed paste and modes", "\x1b[?2004h$ \x1b[?1h\x1b=x\x1b[?2004l\r\n", "$ x\n"],
  ["an unfinished line", "Name? ", "Name? "],
];

for (const [name, output, expected] of CASES) {
  Deno.test(`PlainText gives what a person sees: ${name}`, () => {
    assert.equal(read([output]), expected);
    assert.equal(read([...output]), expected, "one character at a time");
  });
}

Deno.test("PlainText keeps a line whole that goes on in the next row", () => {
  // Output of readline at the right margin, and to return to the beginning.
  assert.equal(read([`${"x".repeat(10)}y \ry\r\n`], 10), `${"x".repeat(10)}y\n`);
  assert.equal(read(["abcdefghijKL\x1b[A\rX\r\n"], 10), "XbcdefghijKL\n");
});

Deno.test("PlainText stops where a program needs a screen", () => {
  assert.equal(read(["a\r\n\x1b[?1049h\x1b[Hx"]), `a\r\n<"\\u001b[?1049h\\u001b[Hx">`);
  assert.equal(read(["a\r\n", "\x1b[", "5;1Hx"]), `a\r\n<"\\u001b[5;1Hx">`);
  assert.equal(read(["a\r\n> b\x1b[1A"]), `a\r\n> b<"\\u001b[1A">`);
  assert.equal(read(["\x1b[6n"]), `<"\\u001b[6n">`);
});

Deno.test("PlainText gives what was added to a line, and all of a line that was changed", () => {
  const plain = new PlainText({ columns: 80, reply: () => {}, emit: () => {} });
  plain.write("Continue? ");
  assert.equal(plain.partial, "Continue? ");
  plain.give(10);
  assert.equal(plain.partial, "");
  plain.write("y");
  assert.equal(plain.partial, "y");
  plain.give(1);
  plain.write("\rRetry?     ");
  assert.equal(plain.partial, "Retry?     y".slice(0, 11));
});

Deno.test("PlainText answers what the terminal is, and notes the mode of the cursor keys", () => {
  const replies: string[] = [];
  const plain = new PlainText({ columns: 80, reply: (it) => replies.push(it), emit: () => {} });
  plain.write("\x1b[c\x1b[>c\x1b[5n\x1b[?1h");
  assert.deepEqual(replies, ["\x1b[?1;2c", "\x1b[>0;276;0c", "\x1b[0n"]);
  assert.equal(plain.applicationCursor, true);
  plain.write("\x1b[?1l");
  assert.equal(plain.applicationCursor, false);
});
