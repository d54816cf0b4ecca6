import { clip, closest, isRecord, messageOf } from "../base/mod.ts";
import { inputJsonSchema, outputJsonSchema } from "./_json_schema.ts";
import { fitFields, propertiesOf, unknownKeys } from "./fit_input.ts";
import type {
  InputSchema,
  OutputSchema,
  ParsedInput,
  SchemaIssue,
  SchemaResult,
  Tool,
  ToolAnnotations,
  ToolContext,
  ToolResult,
  ToolSpec,
} from "./tool.ts";

/** Options of {@linkcode defineTool}. */
export interface ToolOptions<Input> {
  /** 1 to 64 of `A-Z a-z 0-9 _ -`, as the chat-completions API demands. */
  name: string;
  /** The purpose of the tool and when to use it, for the model. */
  description: string;
  /** The schema of the input, an object. Every zod 4 object schema fits. It must check synchronously. */
  input: InputSchema<Input>;
  /** The JSON schema of `input`, if it is at hand. By default it is derived from `input`. */
  parameters?: Record<string, unknown>;
  /** The schema of its structured results, an object; absent without such results. */
  output?: OutputSchema | undefined;
  /** Facts that a client may rely on. */
  annotations?: ToolAnnotations | undefined;
  /**
   * Runs the tool on checked input. A string is short for `{ content }`. What it throws becomes a
   * failed result, unless the signal fired.
   */
  execute(
    input: Input,
    context: ToolContext,
  ): ToolResult | string | Promise<ToolResult | string>;
}

/** Most problems of one input in the message to the model. */
const MAX_ISSUES = 8;

/** The longest part of an unknown key that is repeated, in characters. */
const MAX_KEY = 40;

/** UTF-16 units of a refused value that are shown, as JSON. */
const MAX_VALUE = 80;

/**
 * Makes a tool: derives its JSON schema, checks its input, and encodes its failures.
 *
 * Input that fits the schema is taken as it is. Where it does not, what models often get wrong is
 * mended if it is plain what is meant: a number or boolean in a string (`"3"`), and `null` for a
 * parameter that may be left out. An unknown key is answered with those that the tool takes.
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
  const { output, annotations } = options;
  return {
    spec,
    ...(output === undefined ? {} : { output: outputJsonSchema(name, output) }),
    ...(annotations === undefined ? {} : { annotations }),
    parse: (value) => parse(spec, input, value),
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
  { name, parameters }: ToolSpec,
  schema: InputSchema<Input>,
  value: unknown,
): ParsedInput<Input> {
  const asGiven = check(name, schema, value);
  if (asGiven.issues === undefined) return { ok: true, input: asGiven.value };
  const fields = fitFields(value, parameters);
  const unknown = unknownKeys(fields, parameters);
  const result = check(name, schema, without(fields, unknown));
  if (result.issues === undefined && unknown.length === 0) return { ok: true, input: result.value };
  const issues = (result.issues ?? []).map((issue) => describe(issue, fields));
  const problems = [
    ...(unknown.length === 0 ? [] : [unknownKey(unknown, name, propertiesOf(parameters))]),
    ...(issues.length === 0 ? [] : [`${name}: ${listed(issues, "; ")}`]),
  ];
  return { ok: false, error: oneLine(problems.join("; ")) };
}

function check<Input>(
  name: string,
  schema: InputSchema<Input>,
  value: unknown,
): SchemaResult<Input> {
  const result = schema["~standard"].validate(value);
  if (!(result instanceof Promise)) return result;
  result.catch(() => {});
  throw new TypeError(`Cannot check the input of tool ${name}: its schema is asynchronous`);
}

function unknownKey(
  keys: readonly string[],
  tool: string,
  properties: Readonly<Record<string, unknown>>,
): string {
  const known = Object.keys(properties);
  const takes = known.length === 0 ? "no keys" : known.join(", ");
  const near = new Set(keys.flatMap((key) => closest(key, known) ?? []));
  const hint = near.size === 0 ? "" : ` (did you mean ${[...near].join(", ")}?)`;
  const names = listed(keys.map((key) => JSON.stringify(clip(key, MAX_KEY))), ", ");
  return `Unknown key${keys.length === 1 ? "" : "s"} ${names}: ${tool} takes ${takes}${hint}`;
}

function listed(items: readonly string[], separator: string): string {
  const shown = items.slice(0, MAX_ISSUES);
  const more = items.length - shown.length;
  if (more > 0) shown.push(`${more} more`);
  return shown.join(separator);
}

/** The fields without those of some keys. */
function without(fields: unknown, keys: readonly string[]): unknown {
  if (keys.length === 0 || typeof fields !== "object" || fields === null) return fields;
  return Object.fromEntries(Object.entries(fields).filter(([key]) => !keys.includes(key)));
}

function describe({ path = [], message }: SchemaIssue, fields: unknown): string {
  const keys = path.map((part) => String(typeof part === "object" ? part.key : part));
  if (keys.length === 0) return message;
  const given = shown(valueAt(fields, keys));
  // The message may already have its type or the value.
  const told = message.includes("received ") || message.includes(given);
  return `${keys.join(".")}: ${message}${told ? "" : ` (given: ${given})`}`;
}

function valueAt(fields: unknown, keys: readonly string[]): unknown {
  let at = fields;
  for (const key of keys) {
    if (!isRecord(at) && !Array.isArray(at)) return undefined;
    at = Reflect.get(at, key);
  }
  return at;
}

/** A value that was refused, as JSON; empty where it is long, or of several parts. */
function shown(value: unknown): string {
  if (typeof value !== "string" && typeof value !== "number") return "";
  const json = JSON.stringify(value);
  return json.length > MAX_VALUE ? "" : json;
}

function oneLine(text: string): string {
  return text.replace(/\s*[\r\n]+\s*/g, " ");
}
