import assert from "node:assert/strict";
import { findCycles, graphOf } from "./cycles.ts";

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

Deno.test("graphOf counts import() and imports of types as edges", () => {
  // As `deno info --json` writes it, where `b` has `import("a")`.
  const modules = [
    {
      specifier: "a",
      dependencies: [{ code: { specifier: "b" } }, { type: { specifier: "t" } }],
    },
    { specifier: "b", dependencies: [{ code: { specifier: "a" }, isDynamic: true }] },
    { specifier: "t" },
  ];
  const graph = graphOf(modules);
  assert.deepEqual(graph, new Map([["a", ["b", "t"]], ["b", ["a"]], ["t", []]]));
  assert.deepEqual(findCycles(graph), [["a", "b"]]);
});
