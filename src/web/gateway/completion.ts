import type { AgentUsage, CliAgentEvent } from "../../cliagent/mod.ts";
import { sseBody } from "../http/mod.ts";
import { describeFailure } from "./refusal.ts";

/** The fields that all chunks of an answer have. */
export interface AnswerHead {
  /** `cmpl-` and the run's id. */
  readonly id: string;
  /** The model's name. */
  readonly model: string;
  /** Seconds since the epoch. */
  readonly created: number;
}

/** Tokens in the API's words; zero if the CLI does not report them, as clients expect numbers. */
function usageOf(usage: AgentUsage | undefined): Record<string, unknown> {
  const { inputTokens = 0, outputTokens = 0, cachedTokens = 0, reasoningTokens = 0 } = usage ?? {};
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    prompt_tokens_details: { cached_tokens: cachedTokens },
    completion_tokens_details: { reasoning_tokens: reasoningTokens },
  };
}

/** The whole answer as one body. */
export function completion(head: AnswerHead, text: string, usage?: AgentUsage): unknown {
  return {
    ...head,
    object: "chat.completion",
    choices: [{
      index: 0,
      message: { role: "assistant", content: text, refusal: null },
      logprobs: null,
      finish_reason: "stop",
    }],
    usage: usageOf(usage),
  };
}

/** Options of {@linkcode completionStream}. */
export interface StreamOptions {
  /** Sends a last chunk with the number of tokens. */
  readonly includeUsage: boolean;
  /** Milliseconds of silence after which a comment is sent. */
  readonly keepAlive: number;
}

const encoder = new TextEncoder();

/**
 * The answer as server-sent events, as fast as the client reads them. The CLI's activity is sent as
 * `reasoning_content`. A failure is a last event with `error`, without `[DONE]`. Cancelling the stream
 * cancels the run.
 */
export function completionStream(
  head: AnswerHead,
  events: ReadableStreamDefaultReader<CliAgentEvent>,
  { includeUsage, keepAlive }: StreamOptions,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let begun = false;
  let ended = false;
  let said = false;
  const chunk = (delta: Record<string, unknown>, finish_reason: "stop" | null = null) => ({
    ...head,
    object: "chat.completion.chunk",
    choices: [{ index: 0, delta, logprobs: null, finish_reason }],
  });
  const shown = (event: CliAgentEvent): unknown[] => {
    switch (event.type) {
      case "started":
        return [];
      case "text":
        said = true;
        return [chunk({ content: event.text })];
      case "activity":
        return [chunk({ reasoning_content: event.text })];
      case "answer":
        return [
          ...(said ? [] : [chunk({ content: event.text })]),
          chunk({}, "stop"),
          ...(includeUsage
            ? [{
              ...head,
              object: "chat.completion.chunk",
              choices: [],
              usage: usageOf(event.usage),
            }]
            : []),
        ];
    }
  };
  const next = async (): Promise<string> => {
    if (!begun) {
      begun = true;
      return encode([chunk({ role: "assistant", content: "" })]);
    }
    try {
      for (;;) {
        const { done, value } = await events.read();
        if (done) break;
        const chunks = shown(value);
        if (chunks.length > 0) return encode(chunks);
      }
    } catch (error) {
      ended = true;
      return encode([describeFailure(error).body]);
    }
    ended = true;
    return "data: [DONE]\n\n";
  };
  return sseBody({
    next: async () => ended ? undefined : encoder.encode(await next()),
    // The error of a failed run was sent already.
    return: () => void events.cancel().catch(() => {}),
  }, { keepAlive });
}

function encode(chunks: readonly unknown[]): string {
  return chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("");
}
