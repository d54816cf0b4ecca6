import { isRecord } from "../base/mod.ts";
import type { ToolSpec } from "./tool.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Keys under which models put the arguments once more. */
const WRAPPERS: ReadonlySet<string> = new Set([
  "args",
  "arguments",
  "input",
  "kwargs",
  "parameters",
  "params",
]);

/** Keys beside these that name the tool. */
const NAMES: ReadonlySet<string> = new Set(["function", "name", "tool"]);

/**
 * The arguments of a call without what some models wrap around them: a JSON string that holds the
 * object, and an object under one needless key, as in `{"arguments": {...}}` or
 * `{"name": "read", "parameters": {...}}`. `null` and an empty string mean no arguments.
 *
 * An object is unwrapped only if the tool has no parameter of that name and knows every key inside,
 * so that nothing is dropped that could mean something else. All other values are given back as
 * they are.
 */
export function unwrapInput(value: unknown, { name, parameters }: ToolSpec): unknown {
  const input = objectIn(value);
  if (input === undefined) return isNothing(value) ? {} : value;
  const properties = propertiesOf(parameters);
  const extra = parameters.additionalProperties;
  if (extra === true || isRecord(extra)) return input;
  const isKnown = (key: string) => Object.hasOwn(properties, key);
  const entries = Object.entries(input).filter(([key, entry]) =>
    !(NAMES.has(key) && entry === name && !isKnown(key))
  );
  const [[key, wrapped] = []] = entries;
  if (entries.length !== 1 || key === undefined || isKnown(key)) return input;
  if (!WRAPPERS.has(key) && key !== name) return input;
  const inner = objectIn(wrapped);
  return inner !== undefined && Object.keys(inner).every(isKnown) ? inner : input;
}

function isNothing(value: unknown): boolean {
  return value === null || (typeof value === "string" && value.trim() === "");
}

/** An object, also one that a JSON string holds. */
function objectIn(value: unknown): Fields | undefined {
  if (typeof value !== "string") return isRecord(value) ? value : undefined;
  // Most strings are no JSON, and may be long.
  if (!/^\s*\{/.test(value)) return undefined;
  const found = decoded(value);
  return isRecord(found) ? found : undefined;
}

/**
 * Converts values to the types of the tool's parameters where the meaning is clear: `"3"` is 3 for
 * a number, `"true"` is true for a boolean, a list or an object may be in a JSON string, one object
 * stands for a list of objects, and `null` is left out where the parameter may be left out. The
 * same is done within lists and objects. Anything else stays as it is, for the schema to refuse.
 */
export function fitFields(value: unknown, parameters: unknown): unknown {
  if (!isRecord(value) || !isRecord(parameters)) return value;
  const properties = propertiesOf(parameters);
  const required = Array.isArray(parameters.required) ? parameters.required : [];
  const entries = Object.entries(value).flatMap(([key, entry]): [string, unknown][] => {
    const schema = Object.hasOwn(properties, key) ? properties[key] : undefined;
    // Without types, null may be a value of its own.
    const refusesNull = typesOf(schema).every((type) => type !== undefined && type !== "null");
    if (entry === null && refusesNull && !required.includes(key)) return [];
    return [[key, fitValue(entry, schema)]];
  });
  return Object.fromEntries(entries);
}

function fitValue(given: unknown, schema: unknown): unknown {
  if (!isRecord(schema)) return given;
  const value = typeof given === "string" ? fitText(given, typesOf(schema)) : given;
  if (Array.isArray(value)) return value.map((item) => fitValue(item, schema.items));
  if (!isRecord(value)) return value;
  const single = typesOf(schema).every((type) => type === "array") &&
    typesOf(schema.items).includes("object");
  return single ? [fitFields(value, schema.items)] : fitFields(value, schema);
}

function fitText(text: string, types: readonly unknown[]): unknown {
  if (types.includes("string")) return text;
  const word = text.trim().toLowerCase();
  const number = Number(word);
  const fits = types.includes("number")
    ? /^[+-]?\d+(\.\d+)?$/.test(word)
    : types.includes("integer") && /^[+-]?\d+$/.test(word) && Number.isSafeInteger(number);
  if (fits) return number;
  if (types.includes("boolean") && (word === "true" || word === "false")) return word === "true";
  const open = types.includes("array") ? "[" : types.includes("object") ? "{" : undefined;
  return open !== undefined && word.startsWith(open) ? decoded(text) ?? text : text;
}

function decoded(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** The keys that a tool without further properties does not take. */
export function unknownKeys(value: unknown, parameters: Fields): string[] {
  if (parameters.additionalProperties !== false || !isRecord(value)) return [];
  const properties = propertiesOf(parameters);
  return Object.keys(value).filter((key) => !Object.hasOwn(properties, key));
}

/** The parameters of a tool, by name. */
export function propertiesOf({ properties }: Fields): Fields {
  return isRecord(properties) ? properties : {};
}

function typesOf(schema: unknown): readonly unknown[] {
  if (!isRecord(schema)) return [];
  return Array.isArray(schema.type) ? schema.type : [schema.type];
}
