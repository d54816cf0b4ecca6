import { messageOf } from "../base/mod.ts";
import { inputJsonSchema } from "./_json_schema.ts";
import type {
  InputSchema,
  ParsedInput,
  SchemaIssue,
  Tool,
  ToolContext,
  ToolResult,
  ToolSpec,
} from "./tool.ts";

/** What {@linkcode defineTool} makes a tool of. */
export interface ToolOptions<Input> {
  /** 1 to 64 of `A-Z a-z 0-9 _ -`, as the chat-completions API demands. */
  name: string;
  /** What the tool does and when to use it, for the model. */
  description: string;
  /** The schema of the input, an object. Every zod 4 object schema fits. It must check synchronously. */
  input: InputSchema<Input>;
  /** The JSON schema of `input`, if it is at hand. By default it is derived from `input`. */
  parameters?: Record<string, unknown>;
  /**
   * Runs the tool on checked input. A string is short for `{ content }`. What it throws becomes a
   * failed result, unless the signal fired.
   */
  execute(
    input: Input,
    context: ToolContext,
  ): ToolResult | string | Promise<ToolResult | string>;
}

/** At most this many problems of one input are told to the model. */
const MAX_ISSUES = 8;

/**
 * Makes a tool: derives its JSON schema, checks its input, and encodes its failures.
 *
 * Throws a `RangeError` for a name the API would refuse and a `TypeError` for a schema that does
 * not describe an object.
 *
 * @example
 * ```ts
 * import { defineTool } from "@llmcmd/llmcmd/agent";
 * import { z } from "zod";
 * import assert from "node:assert/strict";
 *
 * const greet = defineTool({
 *   name: "greet",
 *   description: "Greets someone",
 *   input: z.strictObject({ name: z.string() }),
 *   execute: ({ name }) => `Hello ${name}`,
 * });
 * const context = { signal: new AbortController().signal, callId: "call_1" };
 * assert.deepEqual(await greet.execute({ name: "Ada" }, context), { content: "Hello Ada" });
 * ```
 */
export function defineTool<Input>(options: ToolOptions<Input>): Tool<Input> {
  const { name, description, input } = options;
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) {
    throw new RangeError(
      `Cannot name a tool ${JSON.stringify(name)}: use 1 to 64 of A-Z a-z 0-9 _ -`,
    );
  }
  const parameters = options.parameters ?? inputJsonSchema(name, input);
  const spec: ToolSpec = { name, description, parameters };
  return {
    spec,
    parse: (value) => parse(name, input, value),
    async execute(value, context) {
      try {
        const result = await options.execute(value, context);
        return typeof result === "string" ? { content: result } : result;
      } catch (error) {
        context.signal.throwIfAborted();
        return { content: `${name}: ${messageOf(error)}`, error: true };
      }
    },
  };
}

function parse<Input>(
  name: string,
  schema: InputSchema<Input>,
  value: unknown,
): ParsedInput<Input> {
  const result = schema["~standard"].validate(value);
  if (result instanceof Promise) {
    result.catch(() => {});
    throw new TypeError(`Cannot check the input of tool ${name}: its schema is asynchronous`);
  }
  if (result.issues === undefined) return { ok: true, input: result.value };
  const shown = result.issues.slice(0, MAX_ISSUES).map(describe);
  const more = result.issues.length - shown.length;
  if (more > 0) shown.push(`${more} more`);
  return { ok: false, error: oneLine(`${name}: ${shown.join("; ")}`) };
}

function describe({ path = [], message }: SchemaIssue): string {
  const keys = path.map((part) => String(typeof part === "object" ? part.key : part));
  return keys.length === 0 ? message : `${keys.join(".")}: ${message}`;
}

function oneLine(text: string): string {
  return text.replace(/\s*[\r\n]+\s*/g, " ");
}
