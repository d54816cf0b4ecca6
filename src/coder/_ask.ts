import {
  type ChatClient,
  DeltaAccumulator,
  LlmError,
  type Message,
  type Quota,
} from "../llm/mod.ts";

/** Options for a single question to a model. */
export interface AskOptions {
  client: ChatClient;
  model: string;
  signal?: AbortSignal | undefined;
  quota?: Quota | undefined;
  maxTokens?: number | undefined;
}

/** The text of the answer to one request without tools. */
export async function ask(messages: Message[], options: AskOptions): Promise<string> {
  const { client, model, signal = new AbortController().signal, quota, maxTokens } = options;
  const answer = new DeltaAccumulator();
  const body = { model, messages, ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }) };
  for await (const delta of client.stream(body, { signal, quota })) answer.add(delta);
  signal.throwIfAborted();
  const text = answer.text.trim();
  if (text === "") throw new LlmError(`Model ${model} answered without text`, { code: "protocol" });
  return text;
}
