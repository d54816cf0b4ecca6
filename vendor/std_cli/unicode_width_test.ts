import assert from "node:assert/strict";
import { unicodeWidth } from "@std/cli/unicode-width";

/** The contract of `unicodeWidth` that this project relies on, as the real library keeps it. */
const WIDTHS: readonly (readonly [text: string, columns: number, what: string])[] = [
  ["", 0, "the empty string"],
  ["hello world", 11, "ASCII"],
  ["\u65e5\u672c\u8a9e", 6, "wide characters"],
  ["\u{1f600}", 2, "an emoji"],
  ["\uff21", 2, "full width letters"],
  ["\uff71", 1, "half width katakana"],
  ["e\u0301", 1, "a combining accent"],
  ["\u{20bb7}", 2, "a wide character outside the basic plane"],
  ["a\tb\n", 2, "controls"],
  ["\u00e9\u0416", 2, "narrow letters"],
];

for (const [text, columns, what] of WIDTHS) {
  Deno.test(`unicodeWidth counts the columns of ${what}`, () => {
    assert.equal(unicodeWidth(text), columns);
  });
}
