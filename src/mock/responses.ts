import { openaiError } from "./_openai_error.ts";
import { openaiModel, openaiModels } from "./_openai_models.ts";
import { argumentPieces, textPieces } from "./_pieces.ts";
import { parseResponsesRequest } from "./_responses_request.ts";
import type {
  EncodeOptions,
  MockAnswer,
  MockCall,
  MockError,
  WireApi,
  WireEvent,
} from "./wire_api.ts";

/** OpenAI's Responses API, without what needs an endpoint that keeps conversations. */
export const responsesApi: WireApi = {
  name: "responses",
  idHeader: "x-request-id",
  serves: (path) => /^(\/v1)?\/responses$/.test(path),
  parse: parseResponsesRequest,
  json: (answer, options) =>
    response(answer, options.finishReason ? finalStatus(answer) : "in_progress", itemsOf(answer)),
  events: responseEvents,
  error: openaiError,
  errorEvent: (error, answer, sent) => numbered(sent, failed(error, answer)),
  models: openaiModels,
  model: openaiModel,
};

/** An item of a response's output. */
type Item = ReturnType<typeof messageItem> | ReturnType<typeof callItem>;

/** An event before it has its number. */
type Unnumbered = { type: string } & Record<string, unknown>;

type Status = "completed" | "incomplete" | "in_progress" | "failed";

/** A response object. The fields after `model` are those that the API's schema requires. */
function response(
  { id, created, model, finishReason, usage }: MockAnswer,
  status: Status,
  output: readonly Item[],
  error: { code: string; message: string } | null = null,
): object {
  const reason = finishReason === "length" ? "max_output_tokens" : "content_filter";
  return {
    id: `resp_${id}`,
    object: "response",
    created_at: created,
    status,
    error,
    incomplete_details: status === "incomplete" ? { reason } : null,
    model,
    output,
    instructions: null,
    metadata: {},
    parallel_tool_calls: true,
    temperature: 1,
    tool_choice: "auto",
    tools: [],
    top_p: 1,
    usage: status === "in_progress" || status === "failed" || usage === null ? null : {
      input_tokens: usage.prompt_tokens,
      input_tokens_details: { cached_tokens: usage.prompt_tokens_details?.cached_tokens ?? 0 },
      output_tokens: usage.completion_tokens,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: usage.total_tokens,
    },
  };
}

function finalStatus({ finishReason }: MockAnswer): Status {
  return finishReason === "length" || finishReason === "content_filter"
    ? "incomplete"
    : "completed";
}

function itemsOf(answer: MockAnswer): Item[] {
  const { content, toolCalls } = answer;
  const message = content === null ? [] : [messageItem(answer, "completed", content)];
  return [...message, ...toolCalls.map((call) => callItem(call, "completed"))];
}

/** A message; one that is being sent has no content yet. */
function messageItem({ id }: MockAnswer, status: "completed" | "in_progress", text?: string) {
  const content = text === undefined ? [] : [textPart(text)];
  return { type: "message", id: `msg_${id}`, status, role: "assistant", content } as const;
}

function textPart(text: string) {
  return { type: "output_text", text, annotations: [], logprobs: [] } as const;
}

function callItem(
  { id, function: { name, arguments: args }, namespace }: MockCall,
  status: "completed" | "in_progress",
) {
  return {
    type: "function_call",
    id: `fc_${id}`,
    call_id: id,
    name,
    ...(namespace === undefined ? {} : { namespace }),
    arguments: status === "completed" ? args : "",
    status,
  } as const;
}

/** The events of a streamed response, each with its type on the `event:` line and its number. */
function* responseEvents(
  answer: MockAnswer,
  options: EncodeOptions,
): Generator<WireEvent, void, void> {
  let number = 0;
  for (const event of unnumberedEvents(answer, options)) yield numbered(number++, event);
}

function numbered(sequence_number: number, event: Unnumbered): WireEvent {
  return { event: event.type, data: { ...event, sequence_number } };
}

function* unnumberedEvents(
  answer: MockAnswer,
  { finishReason }: EncodeOptions,
): Generator<Unnumbered, void, void> {
  yield { type: "response.created", response: response(answer, "in_progress", []) };
  yield { type: "response.in_progress", response: response(answer, "in_progress", []) };
  const { content, toolCalls } = answer;
  let output_index = 0;
  if (content !== null) {
    yield* messageEvents(answer, content, output_index);
    output_index++;
  }
  for (const call of toolCalls) {
    const item = callItem(call, "completed");
    const at = { item_id: item.id, output_index };
    const added = callItem(call, "in_progress");
    yield { type: "response.output_item.added", output_index, item: added };
    for (const delta of argumentPieces(item.arguments)) {
      yield { type: "response.function_call_arguments.delta", ...at, delta };
    }
    yield {
      type: "response.function_call_arguments.done",
      ...at,
      name: item.name,
      arguments: item.arguments,
    };
    yield { type: "response.output_item.done", output_index, item };
    output_index++;
  }
  if (!finishReason) return;
  const status = finalStatus(answer);
  yield { type: `response.${status}`, response: response(answer, status, itemsOf(answer)) };
}

function* messageEvents(
  answer: MockAnswer,
  text: string,
  output_index: number,
): Generator<Unnumbered, void, void> {
  const item = messageItem(answer, "completed", text);
  const at = { item_id: item.id, output_index, content_index: 0 };
  const added = messageItem(answer, "in_progress");
  yield { type: "response.output_item.added", output_index, item: added };
  yield { type: "response.content_part.added", ...at, part: textPart("") };
  for (const delta of textPieces(text)) {
    yield { type: "response.output_text.delta", ...at, delta, logprobs: [] };
  }
  yield { type: "response.output_text.done", ...at, text, logprobs: [] };
  yield { type: "response.content_part.done", ...at, part: textPart(text) };
  yield { type: "response.output_item.done", output_index, item };
}

function failed(error: MockError, answer: MockAnswer): Unnumbered {
  const { message, code } = error;
  const shown = { code: code ?? "server_error", message };
  return { type: "response.failed", response: response(answer, "failed", [], shown) };
}
