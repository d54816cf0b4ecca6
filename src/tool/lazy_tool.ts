import type { Tool, ToolSpec } from "./tool.ts";

/**
 * Makes a tool of its description alone. The tool itself is loaded at the first `load()` or
 * `execute()`, so that a request can go out before schemas and commands are read from the disk.
 *
 * `parse` throws a `TypeError` before `load()` has resolved.
 *
 * @example
 * ```ts
 * import { defineTool, lazyTool } from "@llmcmd/llmcmd/agent";
 * import { z } from "zod";
 * import assert from "node:assert/strict";
 *
 * const spec = { name: "greet", description: "Greets", parameters: { type: "object" } };
 * const input = z.strictObject({ name: z.string() });
 * const execute = ({ name }: z.infer<typeof input>) => `Hello ${name}`;
 * // Usually: async () => (await import("./greet.ts")).greet
 * const greet = lazyTool(spec, () => Promise.resolve(defineTool({ ...spec, input, execute })));
 * await greet.load?.();
 * assert.deepEqual(greet.parse({ name: "Ada" }), { ok: true, input: { name: "Ada" } });
 * ```
 */
export function lazyTool<Input>(
  spec: ToolSpec,
  load: () => Promise<Tool<Input>>,
): Tool<Input> {
  let loading: Promise<Tool<Input>> | undefined;
  let loaded: Tool<Input> | undefined;
  const tool = () => loading ??= load().then((tool) => loaded = tool);
  return {
    spec,
    async load() {
      await tool();
    },
    parse(input) {
      if (loaded === undefined) {
        throw new TypeError(`Cannot check the input of tool ${spec.name}: await its load() first`);
      }
      return loaded.parse(input);
    },
    async execute(input, context) {
      return await (await tool()).execute(input, context);
    },
    get output() {
      return loaded?.output;
    },
    get annotations() {
      return loaded?.annotations;
    },
    get executeCut() {
      return loaded?.executeCut;
    },
    get begin() {
      return loaded?.begin;
    },
  };
}
