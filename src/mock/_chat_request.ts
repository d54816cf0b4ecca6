import * as z from "zod";
import { describeIssues } from "./_issues.ts";
import { type MockRequest, MockRequestError } from "./wire_api.ts";

const content = z.union([
  z.string(),
  z.array(z.looseObject({ type: z.string(), text: z.string().optional() })),
], { error: "Expected text or an array of parts" });

const toolCalls = z.array(z.looseObject({
  id: z.string(),
  function: z.looseObject({ name: z.string(), arguments: z.string() }),
}));

const message = z.discriminatedUnion("role", [
  z.looseObject({ role: z.enum(["system", "developer", "user"]), content }),
  z.looseObject({
    role: z.literal("assistant"),
    content: content.nullish(),
    tool_calls: toolCalls.nullish(),
  }),
  z.looseObject({ role: z.literal("tool"), tool_call_id: z.string(), content }),
], { error: "Expected a role: system, developer, user, assistant or tool" });

const chatRequest = z.looseObject({
  model: z.string().optional(),
  messages: z.array(message),
  tools: z.array(z.looseObject({})).nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullish(),
});

type ChatMessage = z.infer<typeof message>;

/**
 * Reads the body of `POST /chat/completions`.
 *
 * @throws {MockRequestError} naming the field that is wrong.
 */
export function parseChatRequest(body: unknown): MockRequest {
  const result = chatRequest.safeParse(body);
  if (!result.success) {
    const { path, message } = describeIssues(result.error.issues);
    throw new MockRequestError(
      path === "" ? `Invalid request body: ${message}` : `Invalid '${path}': ${message}`,
      path === "" ? null : path,
      "invalid_value",
    );
  }
  const { model, messages, tools, stream, stream_options } = result.data;
  const lastUser = messages.findLastIndex(({ role }) => role === "user");
  const disorder = findDisorder(messages);
  return {
    model: model ?? "mock-model",
    system: messages
      .filter(({ role }) => role === "system" || role === "developer")
      .map(({ content }) => texts(content).join("\n")),
    userText: texts(messages[lastUser]?.content).at(-1) ?? "",
    toolResults: messages.slice(lastUser + 1)
      .filter(({ role }) => role === "tool")
      .map(({ content }) => texts(content).join("\n")),
    messages: messages.length,
    characters: messages.reduce((sum, message) => sum + countCharacters(message), 0) +
      (tools ? JSON.stringify(tools).length : 0),
    fields: new Set(Object.keys(result.data)),
    stream: stream ?? false,
    includeUsage: stream_options?.include_usage ?? false,
    ...(disorder === undefined ? {} : { disorder }),
  };
}

/** The texts of a message; parts of other kinds, such as images, are ignored. */
function texts(content: ChatMessage["content"]): string[] {
  if (content === null || content === undefined) return [];
  if (typeof content === "string") return [content];
  return content.flatMap(({ type, text }) => type === "text" && text !== undefined ? [text] : []);
}

function countCharacters(message: ChatMessage): number {
  let count = 0;
  for (const text of texts(message.content)) count += text.length;
  if (message.role === "assistant") {
    for (const { function: { name, arguments: args } } of message.tool_calls ?? []) {
      count += name.length + args.length;
    }
  }
  return count;
}

/**
 * The real endpoint's rule: the results of all calls follow the message with the calls, and there
 * is no result without a call.
 */
function findDisorder(messages: readonly ChatMessage[]): string | undefined {
  let open = new Set<string>();
  for (const [index, message] of [...messages.entries(), [messages.length, undefined] as const]) {
    if (message?.role === "tool") {
      if (open.delete(message.tool_call_id)) continue;
      return `messages[${index}] answers '${message.tool_call_id}', ` +
        "which is not an open call of the assistant message before it";
    }
    if (open.size > 0) {
      return `The assistant message before messages[${index}] has calls without a tool result: ` +
        [...open].join(", ");
    }
    if (message?.role === "assistant") open = new Set(message.tool_calls?.map(({ id }) => id));
  }
  return undefined;
}
