import assert from "node:assert/strict";
import { pathKind } from "./path_kind.ts";

Deno.test("pathKind tells files, folders and what is not there", async () => {
  const folder = await Deno.makeTempDir();
  await Deno.writeTextFile(`${folder}/a.txt`, "");
  assert.equal(pathKind(`${folder}/a.txt`), "file");
  assert.equal(pathKind("/dev/null"), "file");
  assert.equal(pathKind(folder), "folder");
  for (const name of ["b.txt", "a.txt/b", "x".repeat(300), "Count the errors / warnings"]) {
    assert.equal(pathKind(`${folder}/${name}`), "missing", name);
  }
  await Deno.remove(folder, { recursive: true });
});

Deno.test({
  name: "pathKind is unknown where --allow-read doesn't cover the path",
  permissions: { read: ["/dev"] },
  fn() {
    assert.equal(pathKind("/etc/passwd"), "unknown");
  },
});
