import assert from "node:assert/strict";
import { blockModule, docBlocks } from "./doc_blocks.ts";

const PAGE =
  "# A page\n\n```ts\nconst a = 1;\n```\n\n```ts ignore\nbroken(\n```\n\n```sh\nls\n```\n" +
  "```js\nb();\n```\n";

Deno.test("docBlocks finds the blocks of a page that run, and their lines", () => {
  assert.deepEqual(docBlocks("docs/a.md", PAGE), [
    { line: 4, code: "const a = 1;" },
    { line: 15, code: "b();" },
  ]);
});

Deno.test("docBlocks finds blocks in doc comments alone", () => {
  const source = [
    "/**",
    " * Text.",
    " *",
    " * ```ts",
    " * if (a) {",
    " *   b();",
    " * }",
    " * ```",
    " */",
    "export const page = `",
    "```ts",
    "not(this);",
    "```",
    "`;",
  ].join("\n");
  assert.deepEqual(docBlocks("src/a.ts", source), [{ line: 5, code: "if (a) {\n  b();\n}" }]);
});

Deno.test("blockModule puts imports before the test, and makes relative ones absolute", () => {
  const code = 'import {\n  a,\n} from "./a.ts";\nimport { b } from "@llmcmd/llmcmd";\n\na(b);\n' +
    'await import("./late.ts");';
  assert.equal(
    blockModule(new URL("file:///repo/"), "src/room/x.ts", { line: 7, code }),
    'import {\n  a,\n} from "file:///repo/src/room/a.ts";\nimport { b } from "@llmcmd/llmcmd";\n' +
      'Deno.test("the code in src/room/x.ts, line 7", async () => {\n\na(b);\n' +
      'await import("./late.ts");\n});\n',
  );
});
