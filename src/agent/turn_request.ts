import type { ChatBody } from "../llm/mod.ts";
import type { Registry } from "../tool/mod.ts";
import type { AgentOptions } from "./options.ts";

/** The request of a turn, exactly as {@linkcode runAgent} gives it to the client. */
export function turnRequest(
  options: Pick<AgentOptions, "model" | "messages" | "temperature" | "maxTokens">,
  tools: Registry,
): ChatBody {
  return {
    model: options.model,
    messages: [...options.messages],
    ...(tools.size === 0
      ? {}
      : { tools: tools.specs.map((spec) => ({ type: "function" as const, function: spec })) }),
    ...(options.temperature === undefined ? {} : { temperature: options.temperature }),
    ...(options.maxTokens === undefined ? {} : { max_tokens: options.maxTokens }),
  };
}
