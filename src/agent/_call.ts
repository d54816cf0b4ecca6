import { closest, isRecord, messageOf } from "../base/mod.ts";
import type { ToolCall } from "../llm/mod.ts";
import {
  type BegunCall,
  notRun,
  type Registry,
  type ToolContext,
  type ToolResult,
  unwrapInput,
} from "../tool/mod.ts";
import { decodeArguments } from "./_arguments.ts";
import { partialArguments } from "./_partial_arguments.ts";
import { LeftBehindError, withGrace } from "./_grace.ts";

/** A call, ready to run, or refused. */
export type PreparedCall =
  & { id: string; name: string; input: unknown }
  & (
    | { run: (context: ToolContext) => Promise<ToolResult> }
    | { refused: string; begun?: BegunCall | undefined }
  );

/** A call without what models wrap around its arguments; see `unwrapInput`. */
export function unwrapCall(call: ToolCall, tools: Registry): ToolCall {
  const { name, arguments: text } = call.function;
  const tool = tools.get(name);
  const decoded = decodeArguments(text);
  if (tool === undefined || !decoded.ok) return call;
  const input = unwrapInput(decoded.value, tool.spec);
  if (input === decoded.value) return call;
  return { ...call, function: { name, arguments: JSON.stringify(input) } };
}

/**
 * Decodes and checks a call. `input` is the decoded JSON, or the raw text if it is malformed. What
 * has `begun` of it goes on in place of the tool.
 */
export async function prepareCall(
  call: ToolCall,
  tools: Registry,
  begun?: BegunCall,
): Promise<PreparedCall> {
  const { id, function: { name, arguments: text } } = call;
  const decoded = decodeArguments(text);
  const input = decoded.ok ? decoded.value : text;
  const tool = tools.get(name);
  if (tool === undefined) return { id, name, input, refused: unknownTool(name, tools.names) };
  if (!decoded.ok) {
    return { id, name, input, refused: `${name}: arguments are not JSON: ${decoded.error}`, begun };
  }
  try {
    await tool.load?.();
    const parsed = tool.parse(decoded.value);
    if (!parsed.ok) return { id, name, input, refused: parsed.error, begun };
    const runner = begun ?? tool;
    return { id, name, input, run: (context) => runner.execute(parsed.input, context) };
  } catch (error) {
    return { id, name, input, refused: `${name}: ${messageOf(error)}` };
  }
}

/** Prepares what can be done of a call that was cut at `maxTokens`. */
export async function prepareCut(
  call: ToolCall,
  tools: Registry,
  maxTokens: number | undefined,
  begun?: BegunCall,
): Promise<PreparedCall> {
  const { id, function: { name, arguments: text } } = call;
  const tool = tools.get(name);
  const partial = partialArguments(text);
  const unwrapped = tool === undefined ? partial : unwrapInput(partial, tool.spec);
  const input = isRecord(unwrapped) ? unwrapped : partial;
  const { content } = notRun({ maxTokens });
  const refused = { id, name, input: input ?? text, refused: content, begun };
  if (tool === undefined || input === undefined) return refused;
  try {
    await tool.load?.();
  } catch (error) {
    return { ...refused, refused: `${name}: ${messageOf(error)}` };
  }
  const runner = begun ?? tool;
  if (runner.executeCut === undefined) return refused;
  const { executeCut } = runner;
  const run = (context: ToolContext) => executeCut.call(runner, input, { ...context, maxTokens });
  return { id, name, input, run };
}

function unknownTool(name: string, names: readonly string[]): string {
  const available = names.length === 0 ? "none are available" : `available: ${names.join(", ")}`;
  // Models like to put a namespace before a name: `functions.read`.
  const meant = closest(name.replace(/^.*[.:/]/, ""), names);
  return `Unknown tool ${JSON.stringify(name)} (${available})` +
    (meant === undefined ? "" : `; did you mean ${meant}?`);
}

/** Makes the message for the model about a failure outside the named tool. */
export type DescribeFailure = (message: string, tool: string) => string;

/** Runs a prepared call. Never rejects: what goes wrong is in the result. */
export async function runCall(
  call: PreparedCall,
  signal: AbortSignal,
  { grace, describe, onOutput }: {
    grace: number;
    describe: DescribeFailure;
    onOutput?: ToolContext["onOutput"];
  },
): Promise<{ result: ToolResult; leftBehind: boolean }> {
  const { name } = call;
  const failed = (message: string) => ({ content: describe(message, name), error: true });
  if ("refused" in call) {
    const result = call.begun?.refuse(call.refused) ?? failed(call.refused);
    return { result, leftBehind: false };
  }
  if (signal.aborted) {
    return { result: failed("Not run: the run was stopped"), leftBehind: false };
  }
  try {
    const work = call.run({ signal, callId: call.id, onOutput });
    return { result: await withGrace(work, signal, grace), leftBehind: false };
  } catch (error) {
    const message = signal.aborted
      ? `${name}: stopped before it was done`
      : `${name}: ${messageOf(error)}`;
    return { result: failed(message), leftBehind: error instanceof LeftBehindError };
  }
}
