import assert from "node:assert/strict";
import { seededRandom, testSeed } from "../../streams/_testing.ts";
import { JsonEnd } from "./json_end.ts";
import { JsonStringReader } from "./json_string.ts";

/** Reads the inside of a string piece by piece: what came out each time, and whether it ended. */
function read(...pieces: string[]): [...string[], boolean] {
  const reader = new JsonStringReader();
  return [...pieces.map((piece) => reader.push(piece)), reader.ended];
}

Deno.test("JsonStringReader gives out what is sure, and holds escapes and halves of characters", () => {
  assert.deepEqual(read("one", " two"), ["one", " two", false]);
  assert.deepEqual(read("a\\", 'nb"', "more"), ["a", "\nb", "", true]);
  assert.deepEqual(read("\\u0", "0e", "9!"), ["", "", "\u00e9!", false]);
  assert.deepEqual(read("x\\ud83d", "\\ude00"), ["x", "\u{1f600}", false]);
  assert.deepEqual(read("x\ud83d", "\ude00"), ["x", "\u{1f600}", false]);
  assert.deepEqual(read("\\ud83d", "\\", "u", "de00"), ["", "", "", "\u{1f600}", false]);
  // Half a character that nothing follows is as JSON.parse gives it.
  assert.deepEqual(read('x\\ud83d"'), ["x\ud83d", true]);
  assert.deepEqual(read("\\ud83d", "y"), ["", "\ud83dy", false]);
  assert.deepEqual(read('\\"\\\\\\/\\b\\f\\n\\r\\t"'), ['"\\/\b\f\n\r\t', true]);
});

Deno.test("JsonStringReader stops where the string is no JSON", () => {
  assert.deepEqual(read("a\nb", "c"), ["a", "", true]);
  assert.deepEqual(read("a\\x", "c"), ["a", "", true]);
  assert.deepEqual(read("a\\u00zz", "c"), ["a", "", true]);
});

Deno.test("JsonStringReader and JsonEnd agree with JSON.parse however a random text is cut", () => {
  const seed = testSeed();
  const below = seededRandom(seed);
  const escape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  const LETTERS = ["a", "\u00e9", "\u{1f600}", "\ud83d", '"', "\\", "\n", "\u0001", "}", "{", "/"];
  for (let run = 0; run < 300; run++) {
    const letters = Array.from({ length: below(30) }, () => LETTERS[below(LETTERS.length)] ?? "");
    const escaped = `"${
      letters.map((letter) =>
        below(2) === 0
          ? letter.split("").map(escape).join("")
          : letter < " " || letter === '"' || letter === "\\"
          ? JSON.stringify(letter).slice(1, -1)
          : letter
      ).join("")
    }"`;
    const meant: unknown = JSON.parse(escaped);
    const whole = `{"data":${escaped},"eof":[{}]}`;
    const reader = new JsonStringReader();
    const end = new JsonEnd();
    let got = "";
    let ended = -1;
    for (let at = 0; at < whole.length;) {
      const next = at + 1 + below(5);
      if (end.push(whole.slice(at, next))) ended = Math.min(next, whole.length);
      got += reader.push(whole.slice(Math.max(at, 9), Math.max(next, 9)));
      at = next;
    }
    assert.equal(got, meant, `seed ${seed}: ${escaped}`);
    assert.equal(ended, whole.length, `seed ${seed}: ${escaped}`);
  }
});
