import type { Tool, ToolSpec } from "./tool.ts";

/**
 * The tools on offer, in the order they were given. Immutable: {@linkcode Registry.with} and
 * {@linkcode Registry.pick} make new ones.
 *
 * @example
 * ```ts
 * import { defineTool, Registry } from "@llmcmd/llmcmd/agent";
 * import { z } from "zod";
 * import assert from "node:assert/strict";
 *
 * const tool = (name: string) =>
 *   defineTool({ name, description: name, input: z.object({}), execute: () => name });
 * const tools = new Registry([tool("read"), tool("write")]).with(tool("exit"));
 * assert.deepEqual(tools.names, ["read", "write", "exit"]);
 * assert.deepEqual(tools.pick(["exit"]).names, ["exit"]);
 * ```
 */
export class Registry implements Iterable<Tool> {
  readonly #tools: ReadonlyMap<string, Tool>;

  /** Registers `tools`. Throws a `RangeError` when two have the same name. */
  constructor(tools: Iterable<Tool> = []) {
    const byName = new Map<string, Tool>();
    for (const tool of tools) {
      const { name } = tool.spec;
      if (byName.has(name)) {
        throw new RangeError(`Cannot register tool ${name} twice: give each tool its own name`);
      }
      byName.set(name, tool);
    }
    this.#tools = byName;
  }

  /** The number of tools. */
  get size(): number {
    return this.#tools.size;
  }

  /** The names of the tools, in order. */
  get names(): string[] {
    return [...this.#tools.keys()];
  }

  /** The tools' descriptions for the model, in order. */
  get specs(): ToolSpec[] {
    return Array.from(this.#tools.values(), (tool) => tool.spec);
  }

  /** The tool called `name`, or `undefined`. */
  get(name: string): Tool | undefined {
    return this.#tools.get(name);
  }

  /** These tools and one more, at the end. Throws a `RangeError` when its name is taken. */
  with(tool: Tool): Registry {
    return new Registry([...this, tool]);
  }

  /**
   * Only the tools called `names`, in the order of `names`. Throws a `RangeError` for a name that
   * is not registered or given twice.
   */
  pick(names: Iterable<string>): Registry {
    return new Registry(Array.from(names, (name) => {
      const tool = this.#tools.get(name);
      if (tool === undefined) {
        throw new RangeError(
          `Cannot pick tool ${name}: not registered (registered: ${this.names.join(", ")})`,
        );
      }
      return tool;
    }));
  }

  /** Iterates over the tools, in order. */
  [Symbol.iterator](): Iterator<Tool> {
    return this.#tools.values();
  }
}
