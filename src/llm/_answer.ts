import { type BodyKind, bodyText, joinText, lookAt } from "./_body.ts";
import { type ChunkContent, readChunk } from "./_chunk.ts";
import { DONE, payloadOf, readEvents } from "./_events.ts";
import { bodyMessage, excerpt, isErrorBody, reported } from "./_failure.ts";
import type { Watch } from "./_watch.ts";
import type { ChatDelta } from "./client.ts";
import { LlmError } from "./errors.ts";
import { ThoughtSplitter } from "./thought.ts";
import type { FinishReason, Usage } from "./wire.ts";

/** Milliseconds to wait for the tokens and the end of the stream after the model is done. */
const AFTER_FINISH = 5_000;
/** Characters of a body that is no answer that are looked at for what it says. */
const LOOK = 65_536;

/** Takes the tokens of an answer, also of one that then fails. */
export type OnUsage = (usage: Usage) => void;

/** Options for reading an answer. */
export interface AnswerContext {
  /** Aborted when the answer is no longer wanted. */
  signal: AbortSignal;
  watch: Watch;
  /** The endpoint and model, as in `Extra`. */
  origin: string;
  onUsage: OnUsage;
}

/**
 * Reads an answer with status 200: an event stream, or a whole completion from an endpoint that
 * does not stream. The beginning of the body decides; some servers name no type, or a wrong one.
 * Ends with `finish` and, where the endpoint counts the tokens, `usage`.
 */
export async function* readAnswer(
  response: Response,
  context: AnswerContext,
): AsyncGenerator<ChatDelta, void, void> {
  const type = response.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  const { kind, pieces } = await lookAt(bodyText(response));
  try {
    const contents = contentsOf(kind, type, pieces, response, context);
    yield* answerOf(contents, context);
  } finally {
    await pieces.return();
  }
}

/** The parts of an answer, by what its body looks like, else by what it is said to be. */
function contentsOf(
  kind: BodyKind | undefined,
  type: string | undefined,
  pieces: AsyncGenerator<string, void, void>,
  response: Response,
  context: AnswerContext,
): AsyncGenerator<ChunkContent[], void, void> {
  const told = type === "text/event-stream" ? "events" : type === "application/json" ? "json" : "";
  const read = kind === undefined || kind === "other" ? told : kind;
  if (read === "events") return streamed(pieces, context);
  if (read === "json") return whole(pieces, context);
  return wrongType(type, pieces, response.status);
}

/** The deltas of an answer, and its end. */
async function* answerOf(
  contents: AsyncGenerator<ChunkContent[], void, void>,
  { signal, watch, onUsage }: AnswerContext,
): AsyncGenerator<ChatDelta, void, void> {
  const splitter = new ThoughtSplitter();
  let finish: FinishReason | undefined;
  // Some endpoints repeat the growing usage in every event: the last one counts.
  let usage: Usage | undefined;
  let called = false;
  try {
    for await (const batch of contents) {
      for (const content of batch) {
        signal.throwIfAborted();
        usage = content.usage ?? usage;
        for (const delta of content.deltas) {
          called ||= delta.type === "tool_call";
          if (delta.type === "text") yield* splitter.add(delta.content);
          else yield delta;
        }
        finish ??= content.finish;
        if (finish !== undefined) watch.hurry(AFTER_FINISH);
      }
    }
  } catch (error) {
    // Once the model is done, only the tokens can still be lost.
    if (finish === undefined || !isEndpointFault(error)) throw error;
  } finally {
    if (usage !== undefined) onUsage(usage);
  }
  yield* splitter.end();
  yield* ending(finish, called);
  if (usage !== undefined) yield { type: "usage", usage };
}

/** True for a fault of the connection, not for an abort or an error that the endpoint reports. */
function isEndpointFault(error: unknown): boolean {
  return error instanceof LlmError && (error.code === "connection" || error.code === "timeout");
}

function* ending(reason: FinishReason | undefined, called: boolean): Generator<ChatDelta> {
  if (reason === undefined) {
    throw new LlmError("Endpoint ended its answer without finish_reason: it may be incomplete", {
      code: "protocol",
    });
  }
  if (!called && (reason === "tool_calls" || reason === "function_call")) {
    // Its text is what the model says before it calls, not its answer.
    throw new LlmError(`Endpoint ended its answer with finish_reason ${reason}, but sent no call`, {
      code: "protocol",
    });
  }
  yield { type: "finish", reason };
}

async function* streamed(
  pieces: AsyncIterable<string>,
  { signal, watch, origin }: AnswerContext,
): AsyncGenerator<ChunkContent[], void, void> {
  let begun = false;
  let done = false;
  let head = "";
  for await (const events of readEvents(looking())) {
    const contents: ChunkContent[] = [];
    try {
      for (const event of events) {
        const payload = payloadOf(event);
        done = payload === DONE;
        if (done) break;
        const content = readChunk(payload, origin);
        if (content.deltas.length > 0 || content.finish !== undefined) {
          watch.begin();
          begun = true;
        }
        contents.push(content);
      }
    } catch (error) {
      // Contents before it in the same piece count.
      yield contents;
      throw error;
    }
    yield contents;
    if (done) break;
  }
  signal.throwIfAborted();
  if (begun) return;
  // Some endpoints report an error in a form of their own.
  const said = bodyMessage(head);
  throw new LlmError(`Endpoint sent no answer: ${said === "" ? "an empty body" : said}`, {
    code: "protocol",
  });

  async function* looking(): AsyncGenerator<string, void, void> {
    for await (const piece of pieces) {
      if (!begun && head.length < LOOK) head += piece;
      yield piece;
    }
  }
}

async function* whole(
  pieces: AsyncIterable<string>,
  { watch, origin }: AnswerContext,
): AsyncGenerator<ChunkContent[], void, void> {
  watch.begin();
  const text = await joinText(pieces);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new LlmError(`Endpoint sent malformed JSON: ${excerpt(text)}`, { code: "protocol" });
  }
  const [first] = Array.isArray(body) ? body : [body];
  if (isErrorBody(first)) throw reported("Endpoint answered with an error", first);
  const content = readChunk(body, origin);
  if (content.deltas.length === 0 && content.finish === undefined) {
    if (content.usage !== undefined) yield [{ deltas: [], usage: content.usage }];
    throw new LlmError(`Endpoint sent JSON that is not a completion: ${excerpt(text)}`, {
      code: "protocol",
    });
  }
  yield [content];
}

// deno-lint-ignore require-yield -- it takes the place of an answer
async function* wrongType(
  type: string | undefined,
  pieces: AsyncIterable<string>,
  status: number,
): AsyncGenerator<ChunkContent[], void, void> {
  const sent = type ?? "no content type";
  const body = bodyMessage(await joinText(pieces, LOOK));
  throw new LlmError(
    `Endpoint sent ${sent} instead of text/event-stream (check the base URL): ` +
      (body === "" ? "an empty body" : body),
    { code: "protocol", status },
  );
}
