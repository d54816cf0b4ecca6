import assert from "node:assert/strict";
import { hostFs } from "../sys/mod.ts";
import { hostVfs, memoryVfs, readFile, type Vfs, writeFile } from "../vfs/mod.ts";
import { callTool, FakeRunner, onEveryVfs } from "./_testing.ts";
import { coderTools } from "./tools.ts";

const runner = new FakeRunner();
const put = (vfs: Vfs, path: string, text: string) =>
  writeFile(vfs, path, new TextEncoder().encode(text));
const get = async (vfs: Vfs, path: string) => new TextDecoder().decode(await readFile(vfs, path));

onEveryVfs("edit_file makes several edits together", async (vfs) => {
  const tools = coderTools({ vfs, runner });
  await put(vfs, "f", "a\nb\nc\nb\n");
  const edits = [{ old_string: "b\n", new_string: "B\n", replace_all: true }, {
    old_string: "a",
    new_string: "A",
  }];
  const diff = "--- f\n+++ f\n@@ -1,4 +1,4 @@\n-a\n-b\n+A\n+B\n c\n-b\n+B\n";
  assert.deepEqual(await callTool(tools, "edit_file", { path: "f", edits }), {
    content: `OK\n[3 places were changed]\n${diff}`,
    details: { path: "f", line: 1, diff },
  });
  assert.equal(await get(vfs, "f"), "A\nB\nc\nB\n");
});

onEveryVfs("edit_file changes nothing if one of several edits fails", async (vfs) => {
  const tools = coderTools({ vfs, runner });
  await put(vfs, "f", "a\nb\n");
  const edits = [{ old_string: "a", new_string: "x" }, { old_string: "z", new_string: "y" }];
  assert.deepEqual(await callTool(tools, "edit_file", { path: "f", edits }), {
    content: "edit_file: old_string of edit 2 does not occur in f: read the file again and copy " +
      "the text exactly\nNo edit was made: each is searched in the original file",
    error: true,
  });
  assert.equal(await get(vfs, "f"), "a\nb\n");
});

Deno.test("edit_file takes edits as models write them", async () => {
  const edited = async (input: object) => {
    const vfs = memoryVfs({ files: { f: "a b a\n" } });
    const { content, error } = await callTool(coderTools({ vfs, runner }), "edit_file", {
      path: "f",
      ...input,
    });
    return error === true ? content : await get(vfs, "f");
  };
  const b = { old_string: "b", new_string: "x" };
  assert.equal(await edited({ edits: JSON.stringify([b]) }), "a x a\n");
  assert.equal(await edited({ edits: b }), "a x a\n");
  assert.equal(await edited({ edits: [b], old_string: "", new_string: "" }), "a x a\n");
  assert.equal(await edited({ ...b, edits: [] }), "a x a\n");
  assert.equal(await edited({ ...b, edits: null, replace_all: "false" }), "a x a\n");
  assert.equal(await edited({ old_string: "a", new_string: "c", replace_all: "true" }), "c b c\n");
  const all = { old_string: "a", new_string: "c", replace_all: true };
  assert.equal(await edited({ ...b, edits: [all] }), "c x c\n");
  // One replace_all for all edits, if these don't say otherwise.
  const a = { old_string: "a", new_string: "c" };
  assert.equal(await edited({ replace_all: true, edits: [a, b] }), "c x c\n");
  assert.match(await edited({ edits: [{ ...a, replace_all: false }] }), /occurs 2 times/);
  const missing = "edit_file: Cannot edit: give old_string and new_string, or edits";
  for (const input of [{}, { old_string: "b" }, { new_string: "b" }, { edits: [] }]) {
    assert.equal(await edited(input), missing);
  }
});

Deno.test("edit_file and write_file say that a file has other names", async () => {
  const root = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${root}/a`, "old\n");
    await Deno.link(`${root}/a`, `${root}/b`);
    const tools = coderTools({ vfs: hostVfs(hostFs(), { root }), runner });
    const note = "[The file had 2 names (hard links): only this one has the new contents; " +
      "for the others use bash: cat THIS > OTHER]";
    const edit = { path: "a", old_string: "old", new_string: "new" };
    const { content } = await callTool(tools, "edit_file", edit);
    assert.equal(content, `OK\n${note}\n--- a\n+++ a\n@@ -1 +1 @@\n-old\n+new\n`);
    assert.equal(await Deno.readTextFile(`${root}/b`), "old\n");
    // Now they are two files.
    assert.equal((await callTool(tools, "write_file", { path: "b", content: "x" })).content, "OK");
    await Deno.link(`${root}/a`, `${root}/c`);
    const written = await callTool(tools, "write_file", { path: "c", content: "x" });
    assert.equal(written.content, `OK\n${note}`);
    assert.equal(await Deno.readTextFile(`${root}/a`), "new\n");
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});
