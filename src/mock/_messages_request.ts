import * as z from "zod";
import { isRecord } from "../base/mod.ts";
import { checked } from "./_checked.ts";
import { describeTranscript, type Turn } from "./_transcript.ts";
import type { MockRequest, WireTarget } from "./wire_api.ts";

const block = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  id: z.string().optional(),
  name: z.string().optional(),
  input: z.unknown().optional(),
  tool_use_id: z.string().optional(),
  content: z.unknown().optional(),
}).superRefine((value, context) => {
  const needed = value.type === "tool_use"
    ? ["id", "name"] as const
    : value.type === "tool_result"
    ? ["tool_use_id"] as const
    : value.type === "text"
    ? ["text"] as const
    : [];
  for (const field of needed) {
    if (value[field] !== undefined) continue;
    const message = "Expected string, received undefined";
    context.addIssue({ code: "custom", path: [field], message });
  }
});

type Block = z.infer<typeof block>;

/** Text is short for one block of text. */
const blocks = z.preprocess(
  (value) => typeof value === "string" ? [{ type: "text", text: value }] : value,
  z.array(block, { error: "Expected text or an array of blocks" }),
);

const messagesRequest = z.looseObject({
  model: z.string().optional(),
  system: blocks.optional(),
  messages: z.array(z.looseObject({
    role: z.enum(["user", "assistant", "system"]),
    content: blocks,
  })),
  tools: z.array(z.looseObject({ name: z.string().optional(), type: z.string().optional() }))
    .nullish(),
  stream: z.boolean().nullish(),
});

/**
 * Reads the body of `POST /v1/messages` and `/v1/messages/count_tokens`.
 *
 * @throws {MockRequestError} naming the field that is wrong.
 */
export function parseMessagesRequest(body: unknown, target?: WireTarget): MockRequest {
  const data = checked(messagesRequest, body);
  const { model, system, messages, tools, stream } = data;
  const first: Turn[] = system === undefined
    ? []
    : [{ at: "system", role: "system", texts: textsOf(system) }];
  return {
    api: "messages",
    model: model ?? "mock-model",
    ...describeTranscript({
      turns: [...first, ...messages.flatMap(turnsOf)],
      field: "messages",
      messages: messages.length,
      tools,
    }),
    tools: new Set(tools?.flatMap(({ name, type }) => name ?? type ?? [])),
    fields: new Set(Object.keys(data)),
    stream: stream ?? false,
    includeUsage: true,
    ...(target?.path.endsWith("/count_tokens") ? { countOnly: true } : {}),
  };
}

function turnsOf(
  { role, content }: z.infer<typeof messagesRequest>["messages"][number],
  index: number,
): Turn[] {
  const at = `messages[${index}]`;
  const texts = textsOf(content);
  if (role === "assistant") {
    const calls = content.flatMap(({ type, id, name, input = {} }) =>
      type === "tool_use" && id !== undefined && name !== undefined
        ? [{ id, name, arguments: JSON.stringify(input) }]
        : []
    );
    return [{ at, role, texts, calls }];
  }
  const results = content.flatMap((value, place): Turn[] =>
    value.type === "tool_result"
      ? [{
        at: `${at}.content[${place}]`,
        role: "tool",
        answers: value.tool_use_id ?? "",
        texts: resultTexts(value.content),
      }]
      : []
  );
  if (results.length === 0) return [{ at, role, texts }];
  return texts.length === 0 ? results : [...results, { at, role: "aside", texts }];
}

function textsOf(content: readonly Block[]): string[] {
  return content.flatMap(({ type, text }) => type === "text" && text !== undefined ? [text] : []);
}

/** The texts of a tool result; blocks of other kinds, such as images, are ignored. */
function resultTexts(content: unknown): string[] {
  if (typeof content === "string") return [content];
  if (!Array.isArray(content)) return [];
  return content.flatMap((it: unknown) =>
    isRecord(it) && typeof it.text === "string" ? [it.text] : []
  );
}
