import assert from "node:assert/strict";
import { ago, count, cut, short, visible } from "./words.js";

Deno.test("short writes a number of tokens with at most one digit after the point", () => {
  assert.deepEqual([0, 999, 1000, 12_345, 1_250_000].map(short), [
    "0",
    "999",
    "1.0k",
    "12.3k",
    "1.3M",
  ]);
});

Deno.test("count puts a noun into the plural, but for one", () => {
  assert.deepEqual([0, 1, 1234].map((n) => count(n, "turn")), ["0 turns", "1 turn", "1,234 turns"]);
});

Deno.test("ago names the largest unit that fits", () => {
  const minute = 60_000;
  assert.deepEqual([0, 1, 59, 60, 60 * 24, 60 * 24 * 9].map((n) => ago(0, n * minute)), [
    "just now",
    "1 minute ago",
    "59 minutes ago",
    "1 hour ago",
    "yesterday",
    "9 days ago",
  ]);
});

Deno.test("visible shows the characters that could hide what a command is", () => {
  assert.equal(visible("rm \u202etxt.a\u2066"), "rm \\u202etxt.a\\u2066");
  assert.equal(visible("\u00e4\u5b57 \u05d0 e\u0301"), "\u00e4\u5b57 \u05d0 e\u0301");
});

Deno.test("cut keeps whole characters", () => {
  assert.equal(cut("abc", 3), "abc");
  assert.equal(cut("abcd", 3), "abc\u2026");
  assert.equal(cut("\u{1f41f}\u{1f41f}\u{1f41f}", 2), "\u{1f41f}\u{1f41f}\u2026");
});
