import { isRecord } from "../base/mod.ts";
import type { ToolCall } from "../llm/mod.ts";
import { decodeArguments } from "./_arguments.ts";
import { escapeControlCharacters } from "./_control_characters.ts";

/** The name under which arguments that are no JSON, or no object, are sent back. */
const MALFORMED = "malformed_arguments";

/**
 * A call as every endpoint takes it back: some refuse the whole conversation for a name with other
 * characters than the API allows, or for arguments that are not the JSON of an object or have half a
 * character. Chat templates of local servers look for the object's keys.
 *
 * @example
 * ```ts
 * import { sendableCall } from "@llmcmd/llmcmd/agent";
 *
 * const call = { id: "a", type: "function" as const, function: { name: "a.b", arguments: "{" } };
 * const { name, arguments: text } = sendableCall(call).function;
 * if (name !== "a_b" || text !== '{"malformed_arguments":"{"}') throw new Error("unexpected");
 * ```
 */
export function sendableCall({ id, function: { name, arguments: text } }: ToolCall): ToolCall {
  const args = sendableArguments(text);
  return {
    id,
    type: "function",
    function: {
      name: name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 64) || "unnamed",
      arguments: args.trim() === "" ? "{}" : args,
    },
  };
}

function sendableArguments(text: string): string {
  const decoded = decodeArguments(text);
  if (!decoded.ok || !isRecord(decoded.value)) {
    return JSON.stringify({ [MALFORMED]: text.toWellFormed() });
  }
  // Half a character, which endpoints that decode the arguments refuse, is an escape in JSON.
  return /\\ud[89a-f]/i.test(text)
    ? JSON.stringify(
      decoded.value,
      (_, value: unknown) => typeof value === "string" ? value.toWellFormed() : value,
    )
    : escapeControlCharacters(text);
}

/**
 * Reads the model's arguments of a call made by {@linkcode sendableCall}: the decoded JSON, or the
 * text if it was malformed. It is the `input` of the call's `tool_start`.
 *
 * @example
 * ```ts
 * import { givenInput } from "@llmcmd/llmcmd/agent";
 *
 * if (givenInput('{"malformed_arguments":"{"}') !== "{") throw new Error("unexpected");
 * ```
 */
export function givenInput(text: string): unknown {
  const decoded = decodeArguments(text);
  if (!decoded.ok) return text;
  const { value } = decoded;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  const [name, given] = entries[0] ?? [];
  if (entries.length !== 1 || name !== MALFORMED || typeof given !== "string") return value;
  const inner = decodeArguments(given);
  return inner.ok ? inner.value : given;
}
