import { parseGeminiRequest } from "./_gemini_request.ts";
import { decodeArguments, textPieces } from "./_pieces.ts";
import type { EncodeOptions, MockAnswer, MockError, WireApi, WireEvent } from "./wire_api.ts";

/** Gemini's API: `generateContent`, `streamGenerateContent` with `alt=sse`, `countTokens`. */
export const geminiApi: WireApi = {
  name: "gemini",
  idHeader: "x-request-id",
  serves: (path) =>
    /^\/v1(beta)?\/models\/[^/]+:(generateContent|streamGenerateContent|countTokens)$/.test(path),
  parse: parseGeminiRequest,
  json: (answer, options) => chunk(answer, partsOf(answer), options),
  events: chunks,
  error: geminiError,
  errorEvent: (error) => ({ data: geminiError(error, 500) }),
  tokens: (count) => ({ totalTokens: count }),
  models: (names) => ({ models: names.map(modelOf) }),
  model: modelOf,
};

function modelOf(name: string): object {
  return {
    name: `models/${name}`,
    version: "mock",
    displayName: name,
    inputTokenLimit: 1_048_576,
    outputTokenLimit: 65_536,
    supportedGenerationMethods: ["generateContent", "countTokens"],
  };
}

function partsOf({ content, toolCalls }: MockAnswer): object[] {
  return [
    ...(content === null ? [] : [{ text: content }]),
    ...toolCalls.map(({ id, function: { name, arguments: args } }) => ({
      functionCall: { id, name, args: decodeArguments(args) },
    })),
  ];
}

/** A response, or a part of one; the last part has the reason and the usage. */
function chunk(
  answer: MockAnswer,
  parts: readonly object[],
  last: EncodeOptions | undefined,
): object {
  const { id, model, usage } = answer;
  const cached = usage?.prompt_tokens_details?.cached_tokens;
  return {
    candidates: [{
      content: { role: "model", parts },
      ...(last?.finishReason === true ? { finishReason: finishReason(answer) } : {}),
      index: 0,
    }],
    ...(last === undefined || usage === null ? {} : {
      usageMetadata: {
        promptTokenCount: usage.prompt_tokens,
        candidatesTokenCount: usage.completion_tokens,
        totalTokenCount: usage.total_tokens,
        ...(cached === undefined ? {} : { cachedContentTokenCount: cached }),
      },
    }),
    modelVersion: model,
    responseId: id,
  };
}

function* chunks(answer: MockAnswer, options: EncodeOptions): Generator<WireEvent, void, void> {
  for (const text of textPieces(answer.content)) {
    yield { data: chunk(answer, [{ text }], undefined) };
  }
  for (const part of partsOf({ ...answer, content: null })) {
    yield { data: chunk(answer, [part], undefined) };
  }
  yield { data: chunk(answer, [{ text: "" }], options) };
}

function finishReason({ finishReason }: MockAnswer): string {
  if (finishReason === "length") return "MAX_TOKENS";
  return finishReason === "content_filter" ? "SAFETY" : "STOP";
}

const STATUSES: Record<number, string> = {
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  503: "UNAVAILABLE",
  504: "DEADLINE_EXCEEDED",
};

/** The error's `code` becomes the status where it is such a word. */
function geminiError({ message, code }: MockError, status: number): object {
  const usual = STATUSES[status] ?? (status < 500 ? "INVALID_ARGUMENT" : "INTERNAL");
  const word = code && /^[A-Z_]+$/.test(code) ? code : usual;
  return { error: { code: status, message, status: word } };
}
