import assert from "node:assert/strict";
import { replaceIn, type Replacement } from "./replacements.ts";

/** Replaces one string, and gives the text. */
function replaced(text: string, old_string: string, new_string: string, all = false): string {
  return replaceIn("f", text, [{ old_string, new_string, replace_all: all }]).text;
}

/** What an edit fails with. */
function problem(text: string, ...edits: [old: string, made: string, all?: boolean][]): string {
  const list: Replacement[] = edits.map(([old_string, new_string, replace_all = false]) => ({
    old_string,
    new_string,
    replace_all,
  }));
  try {
    return `made ${JSON.stringify(replaceIn("f", text, list).text)}`;
  } catch (error) {
    return error instanceof RangeError ? error.message : String(error);
  }
}

Deno.test("replaceIn gives the new text the line ends of a text that has one kind", () => {
  const cases: [text: string, old: string, made: string, expected: string][] = [
    ["a\nb\n", "a\r\nb", "x\r\ny", "x\ny\n"],
    ["a\r\nb\r\n", "a\nb", "x\ny", "x\r\ny\r\n"],
    ["a\r\nb\r\n", "b", "x\ny", "a\r\nx\r\ny\r\n"],
    ["a\r\nb\r\n", "a\r", "x\r", "x\r\nb\r\n"],
    ["a\rb\r", "a\nb", "x\ny\nz", "x\ry\rz\r"],
    ["a\rb\r", "a\r\n", "", "b\r"],
    // A carriage return alone is a character where there are line feeds.
    ["a\rb\n", "a\rb", "x\ry", "x\ry\n"],
    // Without any line end those of the new text count, if they are of one kind.
    ["ab", "a", "x\r\ny\r\n", "x\r\ny\r\nb"],
    ["ab", "a", "x\r\ny\nz\r\n", "x\r\ny\r\nz\r\nb"],
  ];
  for (const [text, old, made, expected] of cases) {
    assert.equal(replaced(text, old, made), expected, JSON.stringify([text, old, made]));
  }
});

Deno.test("replaceIn adds no other line ends where both kinds are", () => {
  const cases: [text: string, old: string, made: string, expected: string][] = [
    ["a\nb\r\nc\n", "a\n", "x\ny\n", "x\ny\nb\r\nc\n"],
    ["a\nb\r\nc\n", "b\nc", "x\ny", "a\nx\r\ny\n"],
    ["a\nb\r\nc\n", "b\r\nc\n", "b\nnew\nc\n", "a\nb\r\nnew\nc\n"],
    // Without a line end in the part, that of its line counts.
    ["a\nb\r\nc\n", "b", "x\ny", "a\nx\r\ny\r\nc\n"],
    ["a\nb\r\nc", "c", "x\ny", "a\nb\r\nx\r\ny"],
    // A line end is found whole.
    ["a\r\nb\nb\r\n", "\nb\r\n", "\nx\n", "a\r\nb\nx\r\n"],
    // What is ambiguous is not, if the line ends that were given tell it apart.
    ["a\r\na\n", "a\r\n", "x\n", "x\r\na\n"],
  ];
  for (const [text, old, made, expected] of cases) {
    assert.equal(replaced(text, old, made), expected, JSON.stringify([text, old, made]));
  }
  assert.equal(replaced("a\r\na\nb\r\n", "a\n", "x\ny\n", true), "x\r\ny\r\nx\ny\nb\r\n");
  assert.equal(replaced("+a(\n\r\n", "+a(\n", "[$&]\\\n"), "[$&]\\\n\r\n");
});

Deno.test("replaceIn refuses to change line ends alone", () => {
  assert.match(problem("a\r\n", ["a\r\n", "a\n"]), /differ only in line ends, .* sed -i/);
});

Deno.test("replaceIn replaces every occurrence, one after the other, if asked", () => {
  assert.equal(replaced("aaaa b a", "aa", "x", true), "xx b a");
  assert.equal(replaced("x = 1", "x", "$&x", true), "$&x = 1");
  assert.deepEqual(
    replaceIn("f", "a\nb\na\n", [{ old_string: "a", new_string: "c", replace_all: true }]),
    { text: "c\nb\nc\n", line: 1, places: 2 },
  );
  assert.match(problem("b", ["a", "c", true]), /^old_string does not occur in f: /);
  const many = "a".repeat(100_001);
  assert.match(problem(many, ["a", "b", true]), /occurs more than 100000 times in f: .* sed -i/);
});

Deno.test("replaceIn makes several edits of the text as it is, in any order", () => {
  const edits = [
    { old_string: "c", new_string: "a" },
    { old_string: "a", new_string: "b\nb" },
    { old_string: "b\n", new_string: "" },
  ];
  assert.deepEqual(replaceIn("f", "a\nb\nc\n", edits), { text: "b\nb\na\n", line: 1, places: 3 });
});

Deno.test("replaceIn makes no edit if one fails, and tells of each that does", () => {
  assert.equal(
    problem("a\nb\nb\n", ["a", "x"], ["b", "y"], ["z", "y"], ["", "y"], ["a", "a"]),
    "old_string of edit 2 occurs 2 times in f (lines 2, 3): give more of the text around the one " +
      "you mean, or set replace_all\n" +
      "old_string of edit 3 does not occur in f: read the file again and copy the text exactly\n" +
      "old_string of edit 4 is empty: give the text to replace, or use write_file\n" +
      "old_string of edit 5 and new_string are the same: there is nothing to change\n" +
      "No edit was made: each is searched in the original file",
  );
  assert.equal(
    problem("one\ntwo\n", ["one\ntwo", "x"], ["two", "y"]),
    "edits 1 and 2 overlap in line 2: make one of them\n" +
      "No edit was made: each is searched in the original file",
  );
  // Side by side is not overlapping.
  assert.equal(problem("ab", ["a", "x"], ["b", "y"]), 'made "xy"');
});

Deno.test("replaceIn counts lines that end in CR", () => {
  assert.match(problem("a\rb\ra\r", ["a", "x"]), /occurs 2 times in f \(lines 1, 3\)/);
});
