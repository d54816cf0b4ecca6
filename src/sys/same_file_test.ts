import assert from "node:assert/strict";
import { isSameFile, isStandardOutput } from "./same_file.ts";

Deno.test("isSameFile sees through links and spellings, and takes no device for a file", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const at = (name: string) => `${folder}/${name}`;
    await Deno.writeTextFile(at("a"), "same");
    await Deno.writeTextFile(at("b"), "same");
    await Deno.symlink(at("a"), at("link"));
    await Deno.link(at("a"), at("hard"));
    assert.equal(isSameFile(at("a"), at("a")), true);
    assert.equal(isSameFile(at("a"), at("./a")), true);
    assert.equal(isSameFile(at("a"), at("link")), true);
    assert.equal(isSameFile(at("hard"), at("link")), true);
    assert.equal(isSameFile(at("a"), at("b")), false);
    assert.equal(isSameFile(at("a"), at("new")), false);
    assert.equal(isSameFile(at("new"), at("new")), true);
    assert.equal(isSameFile("./new", "new"), true);
    assert.equal(isSameFile("/dev/null", "/dev/null"), false);
    assert.equal(isSameFile(folder, folder), false);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("isStandardOutput is false for other files, devices and what is not there", async () => {
  const file = await Deno.makeTempFile();
  try {
    assert.equal(isStandardOutput(file), false);
    assert.equal(isStandardOutput("/dev/null"), false);
    assert.equal(isStandardOutput(`${file}.none`), false);
  } finally {
    await Deno.remove(file);
  }
});
