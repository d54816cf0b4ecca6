import {
  type ChatBody,
  type ChatClient,
  type ChatDelta,
  DeltaAccumulator,
  type Message,
  type StreamOptions,
} from "../llm/mod.ts";

/** What a {@linkcode WatchedClient} tells. */
export interface Watcher {
  /** A request is made. */
  onRequest(messages: readonly Message[]): void;
  /** An answer is complete, before any of its calls runs. The stream waits. */
  onAnswer(message: Message): Promise<void>;
}

/** A client for one run of the loop that tells what goes through it. */
export class WatchedClient implements ChatClient {
  readonly #client: ChatClient;
  readonly #watcher: Watcher;
  /** Ids that an endpoint leaves out are given as the loop gives them. */
  #calls = 0;

  constructor(client: ChatClient, watcher: Watcher) {
    this.#client = client;
    this.#watcher = watcher;
  }

  stream(request: ChatBody, options: StreamOptions): ReadableStream<ChatDelta> {
    this.#watcher.onRequest(request.messages);
    const reader = this.#client.stream(request, options).getReader();
    const answer = new DeltaAccumulator({ firstCall: this.#calls + 1 });
    return new ReadableStream<ChatDelta>({
      pull: async (controller) => {
        const { done, value } = await reader.read();
        if (done) {
          await this.#complete(answer, options.signal);
          return controller.close();
        }
        answer.add(value);
        controller.enqueue(value);
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
    await this.#watcher.onAnswer(calls > 0 ? message : { ...message, content: answer.text });
  }
}
