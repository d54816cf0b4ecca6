import * as z from "zod";
import { checked } from "./_checked.ts";
import { describeTranscript, type Turn } from "./_transcript.ts";
import type { MockRequest } from "./wire_api.ts";

const content = z.union([
  z.string(),
  z.array(z.looseObject({ type: z.string(), text: z.string().optional() })),
], { error: "Expected text or an array of parts" });

const toolCalls = z.array(z.looseObject({
  id: z.string(),
  function: z.looseObject({ name: z.string(), arguments: z.string() }),
}));

const chatMessage = z.discriminatedUnion("role", [
  z.looseObject({ role: z.enum(["system", "developer", "user"]), content }),
  z.looseObject({
    role: z.literal("assistant"),
    content: content.nullish(),
    tool_calls: toolCalls.nullish(),
  }),
  z.looseObject({ role: z.literal("tool"), tool_call_id: z.string(), content }),
], { error: "Expected a role: system, developer, user, assistant or tool" });

const named = z.looseObject({ name: z.string() });

const chatRequest = z.looseObject({
  model: z.string().optional(),
  messages: z.array(chatMessage),
  tools: z.array(z.looseObject({ function: named.optional(), custom: named.optional() })).nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullish(),
});

/**
 * Reads the body of `POST /chat/completions`.
 *
 * @throws {MockRequestError} naming the field that is wrong.
 */
export function parseChatRequest(body: unknown): MockRequest {
  const data = checked(chatRequest, body);
  const { model, messages, tools, stream, stream_options } = data;
  return {
    api: "chat",
    model: model ?? "mock-model",
    ...describeTranscript({
      turns: messages.map(turnOf),
      field: "messages",
      messages: messages.length,
      tools,
    }),
    tools: new Set(tools?.flatMap((tool) => (tool.function ?? tool.custom)?.name ?? [])),
    fields: new Set(Object.keys(data)),
    stream: stream ?? false,
    includeUsage: stream_options?.include_usage ?? false,
  };
}

function turnOf(message: z.infer<typeof chatMessage>, index: number): Turn {
  const turn = { at: `messages[${index}]`, texts: textsOf(message.content) };
  switch (message.role) {
    case "tool":
      return { ...turn, role: "tool", answers: message.tool_call_id };
    case "assistant": {
      const calls = message.tool_calls?.map(({ id, function: { name, arguments: args } }) => ({
        id,
        name,
        arguments: args,
      }));
      return { ...turn, role: "assistant", calls: calls ?? [] };
    }
    default:
      return { ...turn, role: message.role === "user" ? "user" : "system" };
  }
}

/** The texts of a message; parts of other kinds, such as images, are ignored. */
function textsOf(content: z.infer<typeof chatMessage>["content"]): string[] {
  if (content === null || content === undefined) return [];
  if (typeof content === "string") return [content];
  return content.flatMap(({ type, text }) => type === "text" && text !== undefined ? [text] : []);
}
