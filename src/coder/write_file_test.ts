import assert from "node:assert/strict";
import { memoryVfs, readFile } from "../vfs/mod.ts";
import { callTool, FakeRunner } from "./_testing.ts";
import { coderTools } from "./tools.ts";

Deno.test("write_file keeps the format of a file that is too large to compare", async () => {
  const vfs = memoryVfs({ files: { f: "\ufeffsome text\r\n".padEnd(1_100_000, "x\r\n") } });
  const tools = coderTools({ vfs, runner: new FakeRunner() });
  assert.deepEqual(await callTool(tools, "write_file", { path: "f", content: "a\nb\n" }), {
    content: "OK\n[Written with a byte order mark, with CRLF line ends, as the file was]",
    details: { path: "f", created: false, bytes: 9 },
  });
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(await readFile(vfs, "f"));
  assert.equal(text, "\ufeffa\r\nb\r\n");
});

Deno.test("write_file replaces a large binary file as it is told", async () => {
  const vfs = memoryVfs({ files: { f: new Uint8Array(1_100_000) } });
  const tools = coderTools({ vfs, runner: new FakeRunner() });
  const { content } = await callTool(tools, "write_file", { path: "f", content: "a\n" });
  assert.equal(content, "OK");
  assert.equal(new TextDecoder().decode(await readFile(vfs, "f")), "a\n");
});

Deno.test("write_file makes no folder for a path that names no file", async () => {
  const vfs = memoryVfs({ files: {} });
  const tools = coderTools({ vfs, runner: new FakeRunner() });
  const { content } = await callTool(tools, "write_file", { path: "made/", content: "a\n" });
  assert.equal(content, "write_file: Cannot write made/: it is a folder");
  await assert.rejects(vfs.stat("made"), { code: "ENOENT" });
});
