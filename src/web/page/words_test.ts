import assert from "node:assert/strict";
import { ago, count, short } from "./words.js";

Deno.test("short writes a number of tokens with at most one digit behind the point", () => {
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
