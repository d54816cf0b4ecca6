import { outgoing } from "./_outgoing.ts";
import type { ChatRequest } from "./wire.ts";

/**
 * The JSON of a request as every endpoint takes it: without the `extras` of its messages, and with
 * U+FFFD for half a character.
 *
 * @example
 * ```ts
 * import { encodeRequest } from "@llmcmd/llmcmd/llm";
 *
 * const json = encodeRequest({ model: "m", messages: [{ role: "user", content: "a\ud83d" }] });
 * if (json !== '{"model":"m","messages":[{"role":"user","content":"a\ufffd"}]}') {
 *   throw new Error(json);
 * }
 * ```
 */
export function encodeRequest(request: ChatRequest): string {
  return outgoing(request, "", new Set()).json;
}
