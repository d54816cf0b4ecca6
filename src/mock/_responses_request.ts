import * as z from "zod";
import { checked } from "./_checked.ts";
import { describeTranscript, type Turn } from "./_transcript.ts";
import { type MockRequest, MockRequestError } from "./wire_api.ts";

const content = z.union([
  z.string(),
  z.array(z.looseObject({ type: z.string(), text: z.string().optional() })),
], { error: "Expected text or an array of parts" });

/** Messages, calls and their results; items of other kinds, such as reasoning, are passed over. */
const item = z.looseObject({
  type: z.string().optional(),
  role: z.enum(["system", "developer", "user", "assistant"]).optional(),
  content: content.nullish(),
  call_id: z.string().nullish(),
  name: z.string().optional(),
  arguments: z.string().optional(),
  input: z.string().optional(),
  output: z.union([content, z.looseObject({})]).nullish(),
});

const tool: z.ZodType<Tool> = z.looseObject({
  type: z.string(),
  name: z.string().optional(),
  get tools() {
    return z.array(tool).optional();
  },
});

interface Tool {
  type: string;
  name?: string | undefined;
  tools?: Tool[] | undefined;
}

const responsesRequest = z.looseObject({
  model: z.string().optional(),
  instructions: z.string().nullish(),
  input: z.union([z.string(), z.array(item)], { error: "Expected text or an array of items" }),
  tools: z.array(tool).nullish(),
  stream: z.boolean().nullish(),
  previous_response_id: z.string().nullish(),
  conversation: z.unknown().optional(),
});

/**
 * Reads the body of `POST /responses`.
 *
 * @throws {MockRequestError} naming the field that is wrong, or that needs an endpoint which keeps
 * conversations.
 */
export function parseResponsesRequest(body: unknown): MockRequest {
  const data = checked(responsesRequest, body);
  for (const field of ["previous_response_id", "conversation"] as const) {
    if (data[field] === undefined || data[field] === null) continue;
    const message = `The mock keeps no conversations: leave ${field} out and send the whole input`;
    throw new MockRequestError(message, field, "unsupported_parameter");
  }
  const { model, instructions, input, tools, stream } = data;
  const items = typeof input === "string" ? [{ role: "user" as const, content: input }] : input;
  const system: Turn[] = instructions
    ? [{ at: "instructions", role: "system", texts: [instructions] }]
    : [];
  const namespaces = namespacesOf(tools ?? []);
  return {
    api: "responses",
    model: model ?? "mock-model",
    ...describeTranscript({
      turns: [...system, ...items.flatMap(turnOf)],
      field: "input",
      messages: items.length,
      tools,
      resultsAnywhere: true,
    }),
    tools: new Set(tools?.flatMap(namesOf)),
    ...(namespaces.size === 0 ? {} : { namespaces }),
    fields: new Set(Object.keys(data)),
    stream: stream ?? false,
    includeUsage: true,
  };
}

function turnOf(value: z.infer<typeof item>, index: number): Turn[] {
  const { type = "message", role, call_id, name = "", output } = value;
  const at = `input[${index}]`;
  if (type === "message") {
    const known = role === "user" || role === "assistant" ? role : "system";
    return [{ at, role: known, texts: textsOf(value.content) }];
  }
  if (type.endsWith("_call_output")) {
    return [{ at, role: "tool", answers: call_id ?? "", texts: textsOf(output) }];
  }
  // Calls that the endpoint itself runs, such as web searches, have no call_id and no result.
  if (!type.endsWith("_call") || !call_id) return [];
  const args = value.arguments ?? value.input ?? "";
  const calls = [{ id: call_id, name, arguments: args }];
  return [{ at, role: "assistant", texts: [], calls }];
}

/** The texts of an item; parts of other kinds, such as images, are ignored. */
function textsOf(value: z.infer<typeof item>["output"]): string[] {
  if (value === null || value === undefined) return [];
  if (typeof value === "string") return [value];
  if (!Array.isArray(value)) return [JSON.stringify(value)];
  return value.flatMap(({ text }) => text ?? []);
}

/** The names that a scenario can call: a function's name, the type of a built-in tool. */
function namesOf({ type, name, tools = [] }: Tool): string[] {
  return [name ?? type, ...tools.flatMap(namesOf)];
}

/**
 * Maps tools to their namespaces. Of several tools with a name the first counts, and one without a
 * namespace before all.
 */
function namespacesOf(tools: readonly Tool[]): Map<string, string> {
  const alone = new Set(tools.map(({ name }) => name));
  const found = new Map<string, string>();
  for (const { type, name: namespace, tools: inner = [] } of tools) {
    if (type !== "namespace" || namespace === undefined) continue;
    for (const { name } of inner) {
      if (name !== undefined && !alone.has(name) && !found.has(name)) found.set(name, namespace);
    }
  }
  return found;
}
