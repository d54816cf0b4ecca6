import assert from "node:assert/strict";
import { splitFiles, withFiles } from "./attached_text.js";

Deno.test("splitFiles gives back what withFiles has put together", () => {
  const files = [
    { name: "a b.txt", text: "one\ntwo\n" },
    { name: "fences.md", text: "```js\nx\n```\n\nAttached file x:\n\n````\n" },
    { name: "empty", text: "" },
    { name: "lines.txt", text: "\n\n" },
  ];
  for (const text of ["Look at these", "", "Two\n\nparts"]) {
    for (let most = 0; most <= files.length; most++) {
      const some = files.slice(0, most);
      assert.deepEqual(splitFiles(withFiles(text, some)), { text, files: some });
    }
  }
});

Deno.test("withFiles gives the model each file by its name, in a fence that it does not end", () => {
  assert.equal(
    withFiles("Mend it", [{ name: "a\nb", text: "x```y" }]),
    "Mend it\n\nAttached file a b:\n\n````\nx```y\n````",
  );
});

Deno.test("splitFiles leaves messages alone that only look like files", () => {
  for (
    const text of [
      "Attached file",
      "Attached file a:\n\n```\nx",
      "See\n\nAttached file a:\n\n```\nx\n```\nand more",
      "Attached file a:\n```\nx\n```",
    ]
  ) assert.deepEqual(splitFiles(text), { text, files: [] });
});
