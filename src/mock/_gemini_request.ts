import * as z from "zod";
import { checked } from "./_checked.ts";
import { describeTranscript, type Turn } from "./_transcript.ts";
import { type MockRequest, MockRequestError, type WireTarget } from "./wire_api.ts";

/**
 * Field names may be written as `systemInstruction` or `system_instruction`, as in all JSON that
 * represents protocol buffers.
 */
function camelCase(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, it]) => [
      key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      it,
    ]),
  );
}

function record<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.preprocess(camelCase, z.looseObject(shape));
}

const part = record({
  text: z.string().optional(),
  thought: z.boolean().optional(),
  functionCall: record({
    id: z.string().optional(),
    name: z.string(),
    args: z.unknown().optional(),
  }).optional(),
  functionResponse: record({
    id: z.string().optional(),
    name: z.string(),
    response: z.looseObject({}).optional(),
  }).optional(),
});

const content = record({ role: z.string().optional(), parts: z.array(part).optional() });

type Part = z.infer<typeof part>;

const geminiRequest = record({
  contents: z.array(content),
  systemInstruction: content.optional(),
  tools: z.array(record({
    functionDeclarations: z.array(z.looseObject({ name: z.string() })).optional(),
  })).optional(),
});

/** A request for tokens may hold the whole request whose tokens are to be counted. */
const countRequest = z.union([
  record({ generateContentRequest: geminiRequest })
    .transform(({ generateContentRequest }) => generateContentRequest),
  geminiRequest,
]);

const METHOD = /\/models\/([^/]+):(generateContent|streamGenerateContent|countTokens)$/;

/**
 * Reads the body of `POST /v1beta/models/MODEL:METHOD`; `target` has model and method. Without it,
 * it is `generateContent`.
 *
 * @throws {MockRequestError} naming the field that is wrong.
 */
export function parseGeminiRequest(body: unknown, target?: WireTarget): MockRequest {
  const [, model = "mock-model", method = "generateContent"] = METHOD.exec(target?.path ?? "") ??
    [];
  const stream = method === "streamGenerateContent";
  if (stream && new URLSearchParams(target?.query).get("alt") !== "sse") {
    throw new MockRequestError(
      "The mock streams server-sent events only: add ?alt=sse to the URL",
      "alt",
    );
  }
  const countOnly = method === "countTokens";
  const data = countOnly ? checked(countRequest, body) : checked(geminiRequest, body);
  const { contents, systemInstruction, tools } = data;
  const system: Turn[] = systemInstruction === undefined
    ? []
    : [{ at: "systemInstruction", role: "system", texts: textsOf(systemInstruction.parts) }];
  return {
    api: "gemini",
    model,
    ...describeTranscript({
      turns: [...system, ...contents.flatMap(turnsOf)],
      field: "contents",
      messages: contents.length,
      tools,
    }),
    tools: new Set(tools?.flatMap((it) => it.functionDeclarations?.map(({ name }) => name) ?? [])),
    fields: new Set(Object.keys(data)),
    stream,
    includeUsage: true,
    ...(countOnly ? { countOnly } : {}),
  };
}

function turnsOf({ role, parts = [] }: z.infer<typeof content>, index: number): Turn[] {
  const at = `contents[${index}]`;
  const texts = textsOf(parts);
  if (role === "model") {
    const calls = parts.flatMap(({ functionCall }) =>
      functionCall === undefined ? [] : [{
        id: functionCall.id ?? functionCall.name,
        name: functionCall.name,
        arguments: JSON.stringify(functionCall.args ?? {}),
      }]
    );
    return [{ at, role: "assistant", texts, calls }];
  }
  const results = parts.flatMap(({ functionResponse }, place): Turn[] =>
    functionResponse === undefined ? [] : [{
      at: `${at}.parts[${place}]`,
      role: "tool",
      answers: functionResponse.id ?? functionResponse.name,
      texts: [resultText(functionResponse.response ?? {})],
    }]
  );
  if (results.length === 0) return [{ at, role: "user", texts }];
  return texts.length === 0 ? results : [...results, { at, role: "aside", texts }];
}

/** The texts of parts; thoughts and parts of other kinds, such as images, are ignored. */
function textsOf(parts: readonly Part[] = []): string[] {
  return parts.flatMap(({ text, thought }) => text === undefined || thought === true ? [] : [text]);
}

/**
 * The result of a function: the text in `output`, `result` or `error`, or else the whole as JSON.
 */
function resultText(response: Record<string, unknown>): string {
  for (const name of ["output", "result", "error"]) {
    const text = response[name];
    if (typeof text === "string") return text;
  }
  return JSON.stringify(response);
}
