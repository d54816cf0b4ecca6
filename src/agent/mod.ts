/**
 * The one loop of every program here: request, stream, tool calls, results, and again, until the
 * model gives a final answer, a tool ends the run, or a budget is spent. What happens is a
 * `ReadableStream` of {@linkcode AgentEvent}; SSE, NDJSON, a terminal and a log are only different
 * sinks for it. What defines a tool, {@linkcode defineTool} and {@linkcode Registry}, is here too.
 *
 * Brings no tools and no prompt, stores no conversation, and renders nothing.
 *
 * @module
 */
export {
  type BegunCall,
  type CutContext,
  defineTool,
  type InputSchema,
  lazyTool,
  type OutputSchema,
  type ParsedInput,
  Registry,
  type SchemaIssue,
  type SchemaResult,
  type Tool,
  type ToolAnnotations,
  type ToolContext,
  type ToolOptions,
  type ToolProgress,
  type ToolResult,
  type ToolSpec,
} from "../tool/mod.ts";
export type { AgentEvent, EventError, RunEndReason } from "./events.ts";
export { toEventError } from "./_event_error.ts";
export { type AgentRun, follow, startRun } from "./run.ts";
export type { AgentOptions, AgentResult, AnswerEnd, TurnInfo } from "./options.ts";
export { runAgent } from "./run_agent.ts";
export { givenInput, sendableCall } from "./sendable_call.ts";
export { turnRequest } from "./turn_request.ts";
