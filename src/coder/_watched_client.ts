import {
  type ChatBody,
  type ChatClient,
  type ChatDelta,
  DeltaAccumulator,
  type Message,
  type StreamOptions,
  type Usage,
} from "../llm/mod.ts";
import { estimateTokens } from "./tokens.ts";

/** Is given an answer when it is complete, before any of its calls runs. The stream waits. */
export type OnAnswer = (message: Message) => Promise<void>;

/**
 * A client for one run of the loop that tells what goes through it. Where the endpoint does not say
 * how many tokens an answer took, they are estimated: budgets and compaction need a number.
 */
export class WatchedClient implements ChatClient {
  readonly #client: ChatClient;
  readonly #onAnswer: OnAnswer;
  /** Ids that an endpoint leaves out are given as the loop gives them. */
  #calls = 0;

  constructor(client: ChatClient, onAnswer: OnAnswer) {
    this.#client = client;
    this.#onAnswer = onAnswer;
  }

  stream(request: ChatBody, options: StreamOptions): ReadableStream<ChatDelta> {
    const reader = this.#client.stream(request, options).getReader();
    const answer = new DeltaAccumulator({ firstCall: this.#calls + 1 });
    return new ReadableStream<ChatDelta>({
      pull: async (controller) => {
        const { done, value } = await reader.read();
        if (!done) {
          answer.add(value);
          return controller.enqueue(value);
        }
        if (answer.usage === undefined && answer.finishReason !== undefined) {
          const usage = estimatedUsage(request.messages, answer.message());
          options.quota?.addUsage(usage);
          controller.enqueue({ type: "usage", usage });
        }
        await this.#complete(answer, options.signal);
        controller.close();
      },
      cancel: (reason) => reader.cancel(reason),
    }, { highWaterMark: 0 });
  }

  /** Answers that were cut are the loop's to make sense of. */
  async #complete(answer: DeltaAccumulator, signal: AbortSignal): Promise<void> {
    const calls = answer.toolCalls().length;
    this.#calls += calls;
    const { finishReason } = answer;
    const cut = finishReason === "length" || finishReason === "content_filter";
    if (cut || signal.aborted) return;
    const message = answer.message();
    await this.#onAnswer(calls > 0 ? message : { ...message, content: answer.text });
  }
}

function estimatedUsage(messages: readonly Message[], answer: Message): Usage {
  const prompt_tokens = estimateTokens(messages);
  const completion_tokens = estimateTokens([answer]);
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
}
