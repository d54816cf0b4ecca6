import assert from "node:assert/strict";
import { ago, count, cut, endOf, short, size, visible } from "./words.js";

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

Deno.test("size writes bytes in the largest unit that fits", () => {
  const expected = ["0 bytes", "1 byte", "1,023 bytes", "1 KiB", "1.5 KiB", "293 KiB", "2 MiB"];
  assert.deepEqual([0, 1, 1023, 1024, 1536, 300_000, 2 ** 21].map((n) => size(n)), expected);
});

Deno.test("endOf keeps the end of a path from the beginning of a name", () => {
  assert.equal(endOf("/work/a", 10), "/work/a");
  assert.equal(endOf("/home/ada/projects/fish", 12), "\u2026/fish");
  assert.equal(endOf("/" + "x".repeat(20), 5), "\u2026xxxxx");
});
