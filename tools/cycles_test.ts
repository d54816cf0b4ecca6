import assert from "node:assert/strict";
import { findCycles } from "./cycles.ts";

Deno.test("findCycles names each group of files that import each other, and nothing else", () => {
  const graph = new Map([
    ["a", ["b", "c"]],
    ["b", ["c"]],
    ["c", ["d"]],
    ["d", ["b"]],
    ["e", ["e"]],
    ["f", ["a", "missing"]],
  ]);
  assert.deepEqual(findCycles(graph), [["b", "c", "d"], ["e"]]);
});

Deno.test("findCycles finds none in a graph whose arrows all lead down", () => {
  assert.deepEqual(findCycles(new Map([["a", ["b", "c"]], ["b", ["c"]], ["c", []]])), []);
});
