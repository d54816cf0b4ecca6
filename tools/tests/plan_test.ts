import assert from "node:assert/strict";
import { findTestFiles, planEntries } from "./plan.ts";

const file = (path: string, size = 1) => ({ path, size, blocks: [] });

Deno.test("planEntries puts the files of a room into one entry, each file once", () => {
  const files = [
    file("src/base/a_test.ts"),
    file("src/base/deep/b_test.ts"),
    file("src/llm/c_test.ts", 5),
    file("tools/d_test.ts", 2),
    file("README.md"),
    file("/elsewhere/e_test.ts"),
  ];
  assert.deepEqual(
    planEntries(files).map(({ name, files }) => [name, files.map(({ path }) => path)]),
    [
      ["llm", ["src/llm/c_test.ts"]],
      ["base", ["src/base/a_test.ts", "src/base/deep/b_test.ts"]],
      ["tools", ["tools/d_test.ts"]],
      ["other", ["/elsewhere/e_test.ts", "README.md"]],
    ],
  );
});

Deno.test("planEntries splits a large room into parts of about the same size", () => {
  const files = [5, 4, 3, 3, 2, 1].map((size) =>
    file(`src/builtins/${size}_${size}_test.ts`, size)
  );
  const entries = planEntries([...files, file("src/builtins/3b_test.ts", 3)]);
  assert.deepEqual(entries.map(({ name }) => name).sort(), [
    "builtins 1 of 3",
    "builtins 2 of 3",
    "builtins 3 of 3",
  ]);
  const sizes = entries.map(({ files }) => files.reduce((sum, { size }) => sum + size, 0));
  assert.deepEqual(sizes, [7, 7, 7]);
});

Deno.test("findTestFiles finds tests and code blocks, of a folder or a file", async () => {
  const found = await findTestFiles(["src/tool", "docs/library.md"]);
  const blocks = (path: string) => found.find((it) => it.path === path)?.blocks.length;
  assert.equal(blocks("src/tool/registry_test.ts"), 0);
  assert.equal(blocks("src/tool/registry.ts"), 1);
  assert.ok((blocks("docs/library.md") ?? 0) > 0);
  assert.equal(found.filter(({ path }) => !/^(src\/tool\/|docs\/library)/.test(path)).length, 0);
});
