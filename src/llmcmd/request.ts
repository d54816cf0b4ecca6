// These types are imported here because a first run with an empty cache resolves lazy imports too
// late for its type check.
import type {} from "zod/mini";
import type {} from "zod/v4/locales/en.js";
import { type AgentOptions, turnRequest } from "../agent/mod.ts";
import type { ChatRequest, Message } from "../llm/mod.ts";
import { lazyTool, Registry } from "../tool/mod.ts";
import { checkedLimits, checkSizes, type LlmcmdLimits } from "./limits.ts";
import { EXIT_SPEC, PIPE_SPEC, readSpec, systemPrompt, WRITE_SPEC } from "./model_view/mod.ts";
import type { LlmcmdOptions } from "./options.ts";
import { RunState } from "./run_state.ts";

/** Most tokens of one answer, where nothing else is said. */
export const DEFAULT_MAX_TOKENS = 4096;

/**
 * The first request of a run, exactly as it would be sent. Nothing is sent, read or opened. Throws
 * a `LimitError` for an input file that is larger than allowed, as a run does before it.
 */
export function firstRequest(options: LlmcmdOptions): ChatRequest {
  const limits = checkedLimits(options.limits);
  checkSizes(options.fds, limits);
  const state = new RunState(options.fds, limits, new AbortController().signal);
  return {
    ...turnRequest(conversation(options, limits), toolsFor(allTools(state), limits.apiCalls)),
    stream: true,
    stream_options: { include_usage: true },
  };
}

/** The agent's options that decide what its requests contain. */
type Conversation = Required<
  Pick<AgentOptions, "model" | "messages" | "temperature" | "maxTokens">
>;

/** The agent's options without those that belong to one run. */
export function conversation(options: LlmcmdOptions, limits: LlmcmdLimits): Conversation {
  const { terminal, instructionsFromInput, maxTokens = DEFAULT_MAX_TOKENS } = options;
  const facts = { terminal, instructionsFromInput, maxTokens };
  const messages: Message[] = [
    { role: "system", content: systemPrompt(options.fds, limits, facts) },
    { role: "user", content: options.instructions },
  ];
  return {
    model: options.model,
    messages,
    temperature: options.temperature ?? 0.1,
    maxTokens,
  };
}

let loading: Promise<typeof import("./tools/tools.ts")> | undefined;

/** Imports once: several imports at the same time would each load everything. */
const tools = () => loading ??= import("./tools/tools.ts");

/** The four tools `read`, `write`, `pipe` and `exit`, loaded when the first request is on its way. */
export function allTools(state: RunState): Registry {
  return new Registry([
    lazyTool(readSpec(state.limits), async () => (await tools()).readTool(state)),
    lazyTool(WRITE_SPEC, async () => (await tools()).writeTool(state)),
    lazyTool(PIPE_SPEC, async () => (await tools()).pipeTool(state)),
    lazyTool(EXIT_SPEC, async () => (await tools()).exitTool(state)),
  ]);
}

/** On the last allowed call there is nobody to read a result any more. */
export function toolsFor(all: Registry, callsLeft: number): Registry {
  return callsLeft <= 1 ? all.pick(["exit"]) : all;
}
