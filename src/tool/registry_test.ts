import assert from "node:assert/strict";
import { z } from "zod";
import { defineTool } from "./define_tool.ts";
import { Registry } from "./registry.ts";

const tool = (name: string) =>
  defineTool({ name, description: `Does ${name}`, input: z.object({}), execute: () => name });
const [read, write, exit] = ["read", "write", "exit"].map(tool) as [
  ReturnType<typeof tool>,
  ReturnType<typeof tool>,
  ReturnType<typeof tool>,
];

Deno.test("Registry gives tools by name, in the order they were given", () => {
  const tools = new Registry([read, write]);
  assert.equal(tools.get("read"), read);
  assert.equal(tools.get("exit"), undefined);
  assert.equal(tools.get("toString"), undefined);
  assert.deepEqual(tools.names, ["read", "write"]);
  assert.deepEqual(tools.specs, [read.spec, write.spec]);
  assert.deepEqual([...tools], [read, write]);
  assert.equal(tools.size, 2);
  assert.equal(new Registry().size, 0);
});

Deno.test("Registry.with and Registry.pick make new registries and leave the old one", () => {
  const tools = new Registry([read, write]);
  const more = tools.with(exit);
  assert.deepEqual(more.names, ["read", "write", "exit"]);
  assert.deepEqual(more.pick(["exit", "read"]).names, ["exit", "read"]);
  assert.deepEqual(tools.names, ["read", "write"]);
});

Deno.test("Registry refuses a name twice and a name it does not have", () => {
  const message = "Cannot register tool read twice: give each tool its own name";
  assert.throws(() => new Registry([read, tool("read")]), { name: "RangeError", message });
  assert.throws(() => new Registry([read]).with(tool("read")), { name: "RangeError", message });
  assert.throws(() => new Registry([read, write]).pick(["bash"]), {
    name: "RangeError",
    message: "Cannot pick tool bash: not registered (registered: read, write)",
  });
});
