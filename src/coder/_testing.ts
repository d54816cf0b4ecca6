import assert from "node:assert/strict";
import type { CommandOutcome } from "../ports/mod.ts";
import { hostFs } from "../sys/mod.ts";
import { type AgentEvent, follow } from "../agent/mod.ts";
import type {
  ChatBody,
  ChatClient,
  ChatDelta,
  FinishReason,
  Message,
  StreamOptions,
} from "../llm/mod.ts";
import type { Registry, ToolResult } from "../tool/mod.ts";
import { hostVfs, memoryVfs, type Vfs } from "../vfs/mod.ts";
import type { CommandRunner, RunCommandOptions } from "./command_runner.ts";
import type { CoderOptions, CoderResult } from "./options.ts";
import { run } from "./run.ts";
import type { SessionLog, SessionRecord } from "./session_log.ts";

/** One answer of the scripted model: text, calls, or a failure. */
export type Step =
  | string
  | Error
  | "hang"
  | {
    text?: string;
    calls?: [name: string, input: unknown][];
    finish?: FinishReason;
    tokens?: number;
    /** Breaks off after the text. */
    error?: Error;
  };

/** A model that gives one scripted answer for each request, and keeps the requests. */
export class ScriptedClient implements ChatClient {
  readonly requests: ChatBody[] = [];
  #ids = 0;
  readonly #steps: (Step | ((request: ChatBody) => Step))[];

  constructor(...steps: (Step | ((request: ChatBody) => Step))[]) {
    this.#steps = steps;
  }

  stream(request: ChatBody, { signal, quota }: StreamOptions): ReadableStream<ChatDelta> {
    this.requests.push(structuredClone(request));
    const scripted = this.#steps.shift() ?? "The script is over";
    const step = typeof scripted === "function" ? scripted(request) : scripted;
    const deltas = this.#deltas(
      step,
      signal,
      (tokens) =>
        quota?.addUsage({ prompt_tokens: tokens, completion_tokens: 0, total_tokens: tokens }),
    );
    let started = false;
    return new ReadableStream({
      async pull(controller) {
        if (!started) quota?.startCall();
        started = true;
        const { done, value } = await deltas.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await deltas.return();
      },
    }, { highWaterMark: 0 });
  }

  async *#deltas(
    step: Step,
    signal: AbortSignal,
    addUsage: (tokens: number) => void,
  ): AsyncGenerator<ChatDelta, void, void> {
    if (step === "hang") {
      await new Promise((_, reject) => {
        if (signal.aborted) reject(signal.reason);
        else signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      });
      return;
    }
    if (step instanceof Error) throw step;
    const { text, calls = [], finish, tokens, error } = typeof step === "string"
      ? { text: step }
      : step;
    if (text !== undefined) yield { type: "text", content: text };
    if (error !== undefined) throw error;
    for (const [index, [name, input]] of calls.entries()) {
      const id = `id_${++this.#ids}`;
      yield { type: "tool_call", index, id, name, arguments: JSON.stringify(input) };
    }
    yield { type: "finish", reason: finish ?? (calls.length > 0 ? "tool_calls" : "stop") };
    if (tokens === undefined) return;
    addUsage(tokens);
    yield {
      type: "usage",
      usage: { prompt_tokens: tokens, completion_tokens: 0, total_tokens: tokens },
    };
  }
}

/** The outcome of a successful command, with the given fields replaced. */
export function outcome(given: Partial<CommandOutcome> = {}): CommandOutcome {
  return {
    text: "",
    truncated: undefined,
    exitCode: 0,
    signal: null,
    timedOut: false,
    aborted: false,
    background: undefined,
    survivors: 0,
    sandbox: { kind: "none", reason: "a test" },
    duration: 1500,
    ...given,
  };
}

/** Runs nothing: returns a given outcome and keeps the commands. */
export class FakeRunner implements CommandRunner {
  readonly commands: { command: string; options: RunCommandOptions }[] = [];
  readonly #answer: (command: string, options: RunCommandOptions) => unknown;

  constructor(answer: (command: string, options: RunCommandOptions) => unknown = () => ({})) {
    this.#answer = answer;
  }

  async run(command: string, options: RunCommandOptions = {}): Promise<CommandOutcome> {
    this.commands.push({ command, options });
    return outcome(await this.#answer(command, options) as Partial<CommandOutcome>);
  }
}

/** A log in memory. */
export class MemoryLog implements SessionLog {
  readonly records: SessionRecord[] = [];
  append(record: SessionRecord): Promise<void> {
    this.records.push(structuredClone(record));
    return Promise.resolve();
  }
}

/** Runs a test on the host's files and on memory. */
export function onEveryVfs(name: string, test: (vfs: Vfs) => Promise<void>): void {
  Deno.test(`${name} (memory)`, () => test(memoryVfs({ root: "/work" })));
  Deno.test(`${name} (host)`, async () => {
    const root = await Deno.makeTempDir({ prefix: "coder-" });
    try {
      await test(hostVfs(hostFs(), { root }));
    } finally {
      await Deno.remove(root, { recursive: true });
    }
  });
}

/** Calls a tool as the agent does. */
export async function callTool(
  tools: Registry,
  name: string,
  input: unknown,
  signal: AbortSignal = new AbortController().signal,
): Promise<ToolResult> {
  const tool = tools.get(name);
  if (tool === undefined) throw new Error(`No tool ${name}`);
  const parsed = tool.parse(input);
  if (!parsed.ok) return { content: parsed.error, error: true };
  return await tool.execute(parsed.input, { signal, callId: "call_1" });
}

/** Runs a turn to its end and returns its events and its result. */
export async function play(
  client: ChatClient,
  options: Partial<CoderOptions> = {},
  onEvent: (event: AgentEvent) => void = () => {},
): Promise<{
  events: AgentEvent[];
  types: string[];
  warnings: string[];
  notices: string[];
  result: CoderResult;
}> {
  const events: AgentEvent[] = [];
  const turn = run({
    client,
    model: "m",
    input: "Go",
    vfs: memoryVfs({ root: "/work" }),
    runner: new FakeRunner(),
    now: () => new Date(2026, 10, 27).getTime(),
    ...options,
  });
  const result = await follow(turn, (event) => {
    events.push(event);
    onEvent(event);
  });
  const told = (type: "notice" | "warning") =>
    events.flatMap((event) => event.type === type ? [event.message] : []);
  return {
    events,
    types: events.map(({ type }) => type),
    warnings: told("warning"),
    notices: told("notice"),
    result,
  };
}

/** Fails unless every tool call has exactly one answer, directly after its message, in order. */
export function checkConversation(messages: readonly Message[], where = ""): void {
  let open: string[] = [];
  for (const message of messages) {
    if (message.role === "tool") {
      assert.equal(message.tool_call_id, open.shift(), where);
      continue;
    }
    assert.deepEqual(open, [], where);
    if (message.role === "assistant") open = (message.tool_calls ?? []).map(({ id }) => id);
  }
  assert.deepEqual(open, [], where);
}
