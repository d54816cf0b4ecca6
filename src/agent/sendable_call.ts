import type { ToolCall } from "../llm/mod.ts";
import { decodeArguments } from "./_arguments.ts";

/**
 * A call as every endpoint takes it back: some refuse the whole conversation for a name with other
 * characters than the API allows, or for arguments that are not JSON.
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
  const decoded = decodeArguments(text);
  const args = decoded.ok ? text : JSON.stringify({ malformed_arguments: text });
  return {
    id,
    type: "function",
    function: {
      name: name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 64) || "unnamed",
      arguments: args.trim() === "" ? "{}" : args,
    },
  };
}
