import { APIError } from "openai/core/error";
import { Stream } from "openai/core/streaming";
import { beginning } from "./_beginning.ts";
import { type ChunkContent, readChunk } from "./_chunk.ts";
import { errorDetails, excerpt } from "./_failure.ts";
import { isRecord } from "./_guards.ts";
import type { Watch } from "./_watch.ts";
import type { ChatDelta } from "./client.ts";
import { LlmError } from "./errors.ts";
import type { FinishReason, Usage } from "./wire.ts";

/** Milliseconds to wait for the tokens and the end of the stream after the model is done. */
const AFTER_FINISH = 5_000;

/** Told the tokens of an answer, also of one that then fails. */
type OnUsage = (usage: Usage) => void;

/**
 * Reads an answer with status 200: an event stream, or a whole completion from an endpoint that
 * does not stream. Ends with `finish` and, where the endpoint tells the tokens, `usage`.
 */
export async function* readAnswer(
  response: Response,
  request: AbortController,
  watch: Watch,
  onUsage: OnUsage,
): AsyncGenerator<ChatDelta, void, void> {
  const type = response.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type === "text/event-stream") yield* readEvents(response, request, watch, onUsage);
  else if (type === "application/json") yield* readCompletion(await response.text(), onUsage);
  else throw await wrongType(type, response);
}

async function* readEvents(
  response: Response,
  request: AbortController,
  watch: Watch,
  onUsage: OnUsage,
): AsyncGenerator<ChatDelta, void, void> {
  let finish: FinishReason | undefined;
  // Some endpoints repeat the growing usage in every event: the last one counts.
  let usage: Usage | undefined;
  try {
    for await (const content of chunks(response, request)) {
      yield* content.deltas;
      usage = content.usage ?? usage;
      finish ??= content.finish;
      if (finish !== undefined) watch.hurry(AFTER_FINISH);
    }
  } catch (error) {
    // Once the model is done, only the tokens can still be lost.
    if (finish === undefined || !isEndpointFault(error)) throw error;
  } finally {
    if (usage !== undefined) onUsage(usage);
  }
  yield* ending(finish, usage);
}

/** Whether the fault is the connection's, not an abort or an error that the endpoint reports. */
function isEndpointFault(error: unknown): boolean {
  return error instanceof LlmError && (error.code === "connection" || error.code === "timeout");
}

function* ending(finish: FinishReason | undefined, usage?: Usage): Generator<ChatDelta> {
  if (finish === undefined) {
    throw new LlmError("Endpoint ended its answer without finish_reason: it may be incomplete", {
      code: "protocol",
    });
  }
  yield { type: "finish", reason: finish };
  if (usage !== undefined) yield { type: "usage", usage };
}

async function* chunks(
  response: Response,
  request: AbortController,
): AsyncGenerator<ChunkContent, void, void> {
  // The package would log malformed events to the console; a client without a logger stays silent.
  const silent = {} as NonNullable<Parameters<typeof Stream.fromSSEResponse>[2]>;
  try {
    for await (const data of Stream.fromSSEResponse<unknown>(response, request, silent)) {
      yield readChunk(data);
    }
  } catch (error) {
    if (error instanceof APIError) throw reported("Endpoint broke off with an error", error.error);
    if (error instanceof SyntaxError) {
      throw new LlmError("Endpoint sent an event that is not JSON", { code: "protocol" });
    }
    throw error;
  }
  // The package takes an abort for the end.
  request.signal.throwIfAborted();
}

function* readCompletion(text: string, onUsage: OnUsage): Generator<ChatDelta> {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new LlmError(`Endpoint sent malformed JSON: ${excerpt(text)}`, { code: "protocol" });
  }
  if (isRecord(body) && body.error) throw reported("Endpoint answered with an error", body);
  const { deltas, finish, usage } = readChunk(body);
  if (usage !== undefined) onUsage(usage);
  if (deltas.length === 0 && finish === undefined) {
    throw new LlmError(`Endpoint sent JSON that is no completion: ${excerpt(text)}`, {
      code: "protocol",
    });
  }
  yield* deltas;
  yield* ending(finish, usage);
}

function reported(what: string, body: unknown): LlmError {
  const { message, code, status } = errorDetails(body);
  return new LlmError(`${what}: ${message}`, { code, status });
}

async function wrongType(type: string | undefined, response: Response): Promise<LlmError> {
  const sent = type ?? "no content type";
  return new LlmError(
    `Endpoint sent ${sent} instead of text/event-stream (check the base URL): ` +
      excerpt(await beginning(response)),
    { code: "protocol", status: response.status },
  );
}
