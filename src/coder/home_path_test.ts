import assert from "node:assert/strict";
import { memoryVfs, readFile } from "../vfs/mod.ts";
import { callTool, FakeRunner } from "./_testing.ts";
import { expandHome } from "./home_path.ts";
import { coderTools } from "./tools.ts";

Deno.test("expandHome puts the home folder for ~ at the beginning, as a shell does", () => {
  const paths: [path: string, expanded: string][] = [
    ["~", "/home/ada"],
    ["~/", "/home/ada/"],
    ["~/a/~", "/home/ada/a/~"],
    ["a/~/b", "a/~/b"],
    ["./~", "./~"],
    ["~b", "~b"],
    ["/a", "/a"],
    ["", ""],
  ];
  for (const [path, expanded] of paths) {
    assert.equal(expandHome(path, "/home/ada"), expanded);
    assert.equal(expandHome(path, "/home/ada/"), expanded);
  }
  assert.equal(expandHome("~", "/"), "/");
  assert.equal(expandHome("~/a", "/"), "/a");
});

Deno.test("expandHome refuses ~ where the home folder is not known", () => {
  const message = "Cannot expand ~ in ~/a: the home folder is not known (set HOME), so give an " +
    "absolute path";
  for (const home of [undefined, "", "home"]) {
    assert.throws(() => expandHome("~/a", home), new RangeError(message));
    assert.equal(expandHome("a", home), "a");
  }
});

Deno.test("all file tools expand ~", async () => {
  const vfs = memoryVfs({ root: "/work" });
  const tools = coderTools({ vfs, runner: new FakeRunner(), home: "/home/ada" });
  const call = async (name: string, input: object) =>
    (await callTool(tools, name, { path: "~/d/f", ...input })).content;
  assert.equal(await call("write_file", { content: "one\n" }), "OK");
  assert.match(await call("edit_file", { old_string: "one", new_string: "two" }), /^OK\n--- ~\/d/);
  assert.equal(await call("read_file", {}), "two\n");
  assert.equal(new TextDecoder().decode(await readFile(vfs, "/home/ada/d/f")), "two\n");
  const without = coderTools({ vfs, runner: new FakeRunner() });
  const { content } = await callTool(without, "write_file", { path: "~/f", content: "" });
  assert.match(content, /^write_file: Cannot expand ~ in ~\/f/);
  await assert.rejects(vfs.stat("/work/~"));
});
