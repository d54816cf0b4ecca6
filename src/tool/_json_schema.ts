import { isRecord } from "../base/mod.ts";
import type { InputSchema, OutputSchema } from "./tool.ts";

/** Keywords whose values are data, not schemas. */
const DATA = new Set(["const", "default", "enum", "examples"]);

/**
 * The JSON schema of a tool's input, without what only costs tokens: `$schema`, and the bounds of
 * safe integers that zod adds to every integer.
 */
export function inputJsonSchema<Input>(
  name: string,
  schema: InputSchema<Input>,
): Record<string, unknown> {
  const { jsonSchema } = schema["~standard"];
  if (jsonSchema === undefined) {
    throw new TypeError(
      `Cannot define tool ${name}: its input has no JSON schema; give one as parameters`,
    );
  }
  const { $schema: _, ...full } = jsonSchema.input({ target: "draft-2020-12" });
  if (full.type !== "object") {
    throw new TypeError(`Cannot define tool ${name}: its input must be an object schema`);
  }
  return lean(full);
}

/** The JSON schema of a tool's structured results, likewise. */
export function outputJsonSchema(name: string, schema: OutputSchema): Record<string, unknown> {
  const { $schema: _, ...full } = schema["~standard"].jsonSchema.output({
    target: "draft-2020-12",
  });
  if (full.type !== "object") {
    throw new TypeError(`Cannot define tool ${name}: its output must be an object schema`);
  }
  return lean(full);
}

function lean(schema: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(schema)
    .filter(([key, value]) =>
      !(key === "minimum" && value === Number.MIN_SAFE_INTEGER) &&
      !(key === "maximum" && value === Number.MAX_SAFE_INTEGER)
    )
    .map(([key, value]) => [key, DATA.has(key) ? value : leanValue(value)] as const);
  return Object.fromEntries(entries);
}

function leanValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(leanValue);
  return isRecord(value) ? lean(value) : value;
}
