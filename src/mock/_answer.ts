import type { Usage } from "../llm/mod.ts";
import { chooseTool } from "./_select.ts";
import type { ScenarioResponse } from "./scenario.ts";
import type { MockAnswer, MockCall, MockRequest } from "./wire_api.ts";

/** The answer of a file that has no default. */
export const DEFAULT_RESPONSE: ScenarioResponse = {
  content: "I'm a mock server. I only understand specific test scenarios.",
};

/** Makes a scenario's response the answer to a request. */
export function makeAnswer(request: MockRequest, response: ScenarioResponse): MockAnswer {
  const toolCalls = (response.tool_calls ?? []).flatMap((call, index): MockCall[] => {
    const called = chooseTool(call, request.tools);
    if (called === undefined) return [];
    const { name, arguments: args } = called;
    const namespace = request.namespaces?.get(name);
    return [{
      id: call.id ?? `call_${request.messages}_${index + 1}`,
      type: "function",
      function: { name, arguments: typeof args === "string" ? args : JSON.stringify(args) },
      ...(namespace === undefined ? {} : { namespace }),
    }];
  });
  const calls = toolCalls.length > 0;
  const content = response.content ?? (calls ? null : "");
  return {
    id: `mock-${crypto.randomUUID()}`,
    created: Math.floor(Date.now() / 1000),
    model: request.model,
    content,
    toolCalls,
    finishReason: response.finish_reason ?? (calls ? "tool_calls" : "stop"),
    usage: response.usage === null ? null : makeUsage(request, content, toolCalls, response.usage),
  };
}

/** Tokens of an answer, by default a quarter of its characters. */
function makeUsage(
  request: MockRequest,
  content: string | null,
  toolCalls: readonly MockCall[],
  given: NonNullable<ScenarioResponse["usage"]> = {},
): Usage {
  const written = toolCalls.reduce(
    (sum, call) => sum + call.function.name.length + call.function.arguments.length,
    content?.length ?? 0,
  );
  const prompt = given.prompt_tokens ?? Math.ceil(request.characters / 4);
  const completion = given.completion_tokens ?? Math.ceil(written / 4);
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    ...(given.cached_tokens === undefined
      ? {}
      : { prompt_tokens_details: { cached_tokens: given.cached_tokens } }),
  };
}
