import { type AgentEvent, follow } from "../agent/mod.ts";
import type { ChatBody, ChatClient, ChatDelta, FinishReason } from "../llm/mod.ts";
import {
  type ByteSink,
  type ByteSource,
  FdTable,
  MemorySink,
  memorySource,
} from "../streams/mod.ts";
import { PoisonSource } from "../testing/poison_source.ts";
import type { Tool, ToolResult } from "../tool/mod.ts";
import { defaultLimits, type LlmcmdLimits } from "./limits.ts";
import type { LlmcmdOptions, LlmcmdResult } from "./options.ts";
import { pipeTool } from "./pipe/pipe_tool.ts";
import type { OperandFiles } from "./pipeline/stage_files.ts";
import { run } from "./run.ts";
import { RunState } from "./run_state.ts";
import { exitTool } from "./tools/exit_tool.ts";
import { readTool } from "./tools/read_tool.ts";
import { writeTool } from "./write/write_tool.ts";

/**
 * Descriptors for a test. Files are seekable; streams are not, and overwrite each chunk when the
 * next one is asked for.
 */
export interface TestInputs {
  stdin?: string | ByteSource;
  /** From 3: a string is a regular file. */
  inputs?: (string | Uint8Array<ArrayBuffer> | ByteSource)[];
  /** Names of the inputs. Default `file3` and so on. */
  names?: string[];
  /** Opens a duplicate of descriptor 0 after the inputs. */
  dup?: boolean;
  sink?: ByteSink;
}

/** Opens descriptors 0, 1, 2 and the inputs from 3. */
export function openFds(
  { stdin = "", inputs = [], names = [], dup = false, sink = new MemorySink() }: TestInputs = {},
): FdTable {
  const fds = new FdTable();
  fds.open({ number: 0, name: "stdin", source: stream(stdin) });
  fds.open({ number: 1, name: "stdout", sink });
  fds.open({ number: 2, name: "stderr", sink: new MemorySink() });
  inputs.forEach((input, index) => {
    const source = typeof input === "string" || input instanceof Uint8Array
      ? memorySource(input, { seekable: true })
      : input;
    fds.open({ name: names[index] ?? `file${index + 3}`, source });
  });
  if (dup) fds.dup(0);
  return fds;
}

function stream(input: string | ByteSource): ByteSource {
  return typeof input === "string" ? new PoisonSource(input, [7, 1, 64]) : input;
}

/** Where no file can be opened. */
export const noOperands: OperandFiles = {
  find: (path) => {
    throw new Error(`No ${path}`);
  },
  open: (path) => Promise.reject(new Error(`No ${path}`)),
  leave: () => Promise.resolve(),
  pipelines: [],
};

/** A tool's result, decoded. */
// deno-lint-ignore no-explicit-any
export type Answer = any;

/** The tools of one run, to be called directly. */
export class ToolBench implements AsyncDisposable {
  readonly out = new MemorySink();
  readonly controller = new AbortController();
  readonly state: RunState;
  readonly fds: FdTable;
  readonly #tools: Map<string, Tool>;

  constructor(inputs: TestInputs = {}, limits: Partial<LlmcmdLimits> = {}) {
    this.fds = openFds({ sink: this.out, ...inputs });
    this.state = new RunState(
      this.fds,
      { ...defaultLimits, ...limits },
      this.controller.signal,
    );
    this.#tools = new Map(
      [
        readTool(this.state),
        writeTool(this.state),
        pipeTool(this.state),
        exitTool(this.state),
      ].map((tool) => [tool.spec.name, tool]),
    );
  }

  /** Calls a tool as the agent does; gives the decoded JSON. */
  async call(name: string, input: unknown = {}): Promise<Answer> {
    const { content } = await this.raw(name, input);
    return JSON.parse(content);
  }

  async raw(name: string, input: unknown): Promise<ToolResult> {
    const tool = this.#tools.get(name);
    if (tool === undefined) throw new Error(`No tool ${name}`);
    const parsed = tool.parse(input);
    if (!parsed.ok) throw new Error(parsed.error);
    return await tool.execute(parsed.input, { signal: this.controller.signal, callId: "call_1" });
  }

  read(input: unknown = {}): Promise<Answer> {
    return this.call("read", input);
  }

  write(input: unknown): Promise<Answer> {
    return this.call("write", input);
  }

  pipe(input: unknown = {}): Promise<Answer> {
    return this.call("pipe", input);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.state.descriptors.close();
    await this.fds[Symbol.asyncDispose]();
  }
}

/** One answer of the scripted model: text, calls, or a function to call instead. */
export type Step =
  | string
  | [name: string, input: unknown][]
  | { text?: string; calls?: [name: string, input: unknown][]; finish?: FinishReason }
  | ((request: ChatBody, signal: AbortSignal) => Exclude<Step, (...args: never[]) => unknown>);

/** A model that gives one scripted answer for each request, and keeps the requests. */
export class ScriptedClient implements ChatClient {
  readonly requests: ChatBody[] = [];
  readonly #steps: Step[];

  constructor(...steps: Step[]) {
    this.#steps = steps;
  }

  stream(
    request: Parameters<ChatClient["stream"]>[0],
    options: Parameters<ChatClient["stream"]>[1],
  ): ReadableStream<ChatDelta> {
    options.quota?.startCall();
    this.requests.push(structuredClone(request));
    const scripted = this.#steps.shift() ?? "The script is over";
    const step = typeof scripted === "function" ? scripted(request, options.signal) : scripted;
    const { text, calls = [], finish } = typeof step === "string"
      ? { text: step, finish: undefined }
      : Array.isArray(step)
      ? { text: undefined, calls: step, finish: undefined }
      : step;
    const usage = { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 };
    options.quota?.addUsage(usage);
    return ReadableStream.from<ChatDelta>([
      ...(text === undefined ? [] : [{ type: "text" as const, content: text }]),
      ...calls.map(([name, input], index) => ({
        type: "tool_call" as const,
        index,
        id: `call_${this.requests.length}_${index}`,
        name,
        arguments: JSON.stringify(input),
      })),
      { type: "usage", usage },
      { type: "finish", reason: finish ?? (calls.length > 0 ? "tool_calls" : "stop") },
    ]);
  }

  /** The decoded results of the calls that the last message made. */
  get lastResults(): Answer[] {
    const { messages } = this.requests.at(-1) ?? { messages: [] };
    const from = messages.findLastIndex(({ role }) => role === "assistant");
    return messages.slice(from + 1).map(({ content }) => {
      const text = typeof content === "string" ? content : "";
      return text === "" ? text : JSON.parse(text);
    });
  }
}

/** Runs a script to its end on descriptors that are disposed of afterwards. */
export async function runScript(
  client: ChatClient,
  inputs: TestInputs = {},
  options: Partial<LlmcmdOptions> = {},
): Promise<{ result: LlmcmdResult; events: AgentEvent[]; out: string }> {
  const sink = inputs.sink ?? new MemorySink();
  const fds = openFds({ ...inputs, sink });
  const events: AgentEvent[] = [];
  const before = fds.list().length;
  try {
    const running = run({ instructions: "Do it", fds, client, model: "scripted", ...options });
    const result = await follow(running, (event) => void events.push(event));
    if (fds.list().length !== before) throw new Error("The run left descriptors open");
    return { result, events, out: sink instanceof MemorySink ? sink.text() : "" };
  } finally {
    await fds.abort();
  }
}

/** A stream that never ends: `text` again and again. */
export async function* forever(text: string): AsyncGenerator<Uint8Array, void, void> {
  const chunk = new TextEncoder().encode(text);
  for (;;) {
    await Promise.resolve();
    yield chunk;
  }
}

/** What some of the inputs of {@linkcode openOperands} hold. */
export const operandTexts = {
  fruit: "1 apple\n2 banana\n3 cherry\n",
  colours: "1 red\n3 dark\n4 none\n",
};

/** Inputs for commands that name files: a file, one in a folder, a stream, and more files. */
export function openOperands(): ToolBench {
  const { fruit, colours } = operandTexts;
  const diff = "--- old\n+++ new\n@@ -1,3 +1,3 @@\n 1 apple\n-2 banana\n+2 blueberry\n 3 cherry\n";
  const sums = "7f975a56c761db6506eca0b37ce6ec87  /dev/fd/9\n";
  return new ToolBench({
    stdin: "1 stdin\n",
    inputs: [fruit, colours, new PoisonSource("an\nrr\n", 2), diff, "2p\n", sums, "x\n"],
    names: ["fruit.txt", "in/colours.txt", "patterns", "the diff's", "script.sed", "sums", "x"],
  });
}
