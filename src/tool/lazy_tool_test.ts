import assert from "node:assert/strict";
import * as z from "zod";
import { defineTool } from "./define_tool.ts";
import { lazyTool } from "./lazy_tool.ts";
import type { InputSchema } from "./tool.ts";

const spec = { name: "greet", description: "Greets", parameters: { type: "object" } };
const context = { signal: new AbortController().signal, callId: "1" };

function greet() {
  const input = z.strictObject({ name: z.string() });
  return defineTool({ ...spec, input, execute: ({ name }) => `Hello ${name}` });
}

Deno.test("lazyTool has a spec at once and loads the tool once", async () => {
  let loads = 0;
  const tool = lazyTool(spec, () => {
    loads++;
    return Promise.resolve(greet());
  });
  assert.deepEqual(tool.spec, spec);
  assert.equal(loads, 0);
  await Promise.all([tool.load?.(), tool.load?.()]);
  assert.deepEqual(tool.parse({ name: "Ada" }), { ok: true, input: { name: "Ada" } });
  assert.equal(tool.parse({ name: 1 }).ok, false);
  assert.deepEqual(await tool.execute({ name: "Ada" }, context), { content: "Hello Ada" });
  assert.equal(loads, 1);
});

Deno.test("lazyTool refuses to check input before it is loaded, and execute loads it", async () => {
  const tool = lazyTool(spec, () => Promise.resolve(greet()));
  assert.throws(() => tool.parse({}), {
    name: "TypeError",
    message: "Cannot check the input of tool greet: await its load() first",
  });
  assert.deepEqual(await tool.execute({ name: "Ada" }, context), { content: "Hello Ada" });
});

Deno.test("lazyTool tells each caller why it could not be loaded", async () => {
  const tool = lazyTool(spec, () => Promise.reject(new Error("Module not found")));
  await assert.rejects(async () => await tool.load?.(), { message: "Module not found" });
  await assert.rejects(tool.execute({}, context), { message: "Module not found" });
});

Deno.test("defineTool takes a JSON schema that is at hand", () => {
  const parameters = { type: "object", properties: {} };
  const tool = defineTool({ ...spec, parameters, input: z.object({}), execute: () => "" });
  assert.equal(tool.spec.parameters, parameters);
});

Deno.test("defineTool refuses a schema that can't describe itself, unless the description is given", () => {
  const input: InputSchema<unknown> = {
    "~standard": { version: 1, vendor: "none", validate: (value) => ({ value }) },
  };
  assert.throws(() => defineTool({ name: "any", description: "", input, execute: () => "" }), {
    name: "TypeError",
    message: "Cannot define tool any: its input has no JSON schema; give one as parameters",
  });
});
