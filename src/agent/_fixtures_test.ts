import assert from "node:assert/strict";
import { z } from "zod";
import type {
  AssistantMessage,
  ChatBody,
  ChatClient,
  ChatDelta,
  FinishReason,
  Message,
  StreamOptions,
} from "../llm/mod.ts";
import { defineTool, Registry, type Tool } from "../tool/mod.ts";
import type { AgentEvent } from "./events.ts";
import type { AgentOptions, AgentResult } from "./options.ts";
import { follow } from "./run.ts";
import { runAgent } from "./run_agent.ts";

/** What a scripted answer does: give a delta, fail, or hang until the signal fires. */
export type Step = ChatDelta | Error | "hang" | (() => void);

export const say = (content: string): ChatDelta => ({ type: "text", content });
export const done = (reason: FinishReason = "stop"): ChatDelta => ({ type: "finish", reason });
export const call = (name: string, args: string, id = `${name}_id`): ChatDelta => ({
  type: "tool_call",
  id,
  name,
  arguments: args,
});

/** A client that plays one script a request, counts its calls, and keeps the requests. */
export class ScriptedClient implements ChatClient {
  readonly requests: ChatBody[] = [];
  /** Streams that were not left to their end. */
  cancelled = 0;
  readonly #scripts: Step[][];

  constructor(...scripts: Step[][]) {
    this.#scripts = scripts;
  }

  stream(request: ChatBody, { signal, quota }: StreamOptions): ReadableStream<ChatDelta> {
    this.requests.push(structuredClone(request));
    const script = this.#scripts[this.requests.length - 1];
    if (script === undefined) throw new Error(`No script for request ${this.requests.length}`);
    const steps = script[Symbol.iterator]();
    let started = false;
    return new ReadableStream<ChatDelta>({
      pull: async (controller) => {
        if (!started) quota?.startCall();
        started = true;
        for (;;) {
          signal.throwIfAborted();
          const step = steps.next();
          if (step.done) return controller.close();
          if (step.value === "hang") await aborted(signal);
          else if (step.value instanceof Error) throw step.value;
          else if (typeof step.value === "function") step.value();
          else {
            if (step.value.type === "usage") quota?.addUsage(step.value.usage);
            return controller.enqueue(step.value);
          }
        }
      },
      cancel: () => {
        this.cancelled++;
      },
    }, { highWaterMark: 0 });
  }
}

/** Rejects when the signal fires. */
export function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) return reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

/** `echo` gives its text back, `fail` throws, `exit` ends the run with a code. */
export const echo: Tool<{ text: string }> = defineTool({
  name: "echo",
  description: "Gives its text back",
  input: z.strictObject({ text: z.string() }),
  execute: ({ text }) => ({ content: text, details: { length: text.length } }),
});
export const fail: Tool<Record<string, never>> = defineTool({
  name: "fail",
  description: "Fails",
  input: z.strictObject({}),
  execute: () => {
    throw new Error("Cannot do it");
  },
});
export const exit: Tool<{ code: number }> = defineTool({
  name: "exit",
  description: "Ends the run",
  input: z.strictObject({ code: z.int().default(0) }),
  execute: ({ code }) => ({ content: `exit ${code}`, stop: true, details: { code } }),
});

export const USER: Message = { role: "user", content: "Go" };

/** An assistant's message; calls as id, name and arguments. */
export const assistant = (
  content: string | null,
  ...calls: [id: string, name: string, args: string][]
): AssistantMessage => ({
  role: "assistant",
  content,
  ...(calls.length === 0 ? {} : {
    tool_calls: calls.map(([id, name, args]) => ({
      id,
      type: "function",
      function: { name, arguments: args },
    })),
  }),
});

/** Runs to the end and gives everything that came of it. */
export async function play(
  client: ChatClient,
  options: Partial<AgentOptions> = {},
  onEvent: (event: AgentEvent) => void | Promise<void> = () => {},
): Promise<{ events: AgentEvent[]; types: string[]; result: AgentResult }> {
  const events: AgentEvent[] = [];
  const { messages = [USER] } = options;
  const run = runAgent({
    client,
    model: "m",
    messages,
    tools: new Registry([echo, fail, exit]),
    now: () => 0,
    ...options,
  });
  const result = await follow(run, async (event) => {
    events.push(event);
    await onEvent(event);
  });
  // Whatever happens, what was told is the conversation, up to what is kept of a broken answer.
  const told = events.flatMap((event) => event.type === "message" ? [event.message] : []);
  const conversation = [...messages, ...told];
  assert.deepEqual(result.messages.slice(0, conversation.length), conversation);
  return { events, types: events.map((event) => event.type), result };
}

/** The answers of the tools in a conversation, as `id: content`. */
export function answers(messages: readonly Message[]): string[] {
  return messages.flatMap((message) =>
    message.role === "tool" ? [`${message.tool_call_id}: ${message.content}`] : []
  );
}

/** Fails unless every tool call has exactly one answer, before the next message of another role. */
export function checkConversation(messages: readonly Message[]): void {
  let open: string[] = [];
  for (const message of messages) {
    if (message.role === "tool") {
      if (open.shift() !== message.tool_call_id) {
        throw new Error(`Answer out of order: ${message.tool_call_id}`);
      }
      continue;
    }
    if (open.length > 0) throw new Error(`Not answered: ${open}`);
    if (message.role === "assistant") {
      open = (message.tool_calls ?? []).map((call) => call.id);
      if (open.length === 0 && typeof message.content !== "string") {
        throw new Error("A message with neither calls nor text");
      }
    }
  }
  if (open.length > 0) throw new Error(`Not answered: ${open}`);
}
