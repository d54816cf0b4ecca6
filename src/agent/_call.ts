import { closest, messageOf } from "../base/mod.ts";
import type { ToolCall } from "../llm/mod.ts";
import { notRun, type Registry, type ToolContext, type ToolResult } from "../tool/mod.ts";
import { decodeArguments } from "./_arguments.ts";
import { partialArguments } from "./_partial_arguments.ts";
import { LeftBehindError, withGrace } from "./_grace.ts";

/** A call, ready to run, or refused. */
export type PreparedCall =
  & { id: string; name: string; input: unknown }
  & ({ run: (context: ToolContext) => Promise<ToolResult> } | { refused: string });

/** Decodes and checks a call. `input` is the decoded JSON, or the raw text if it is malformed. */
export async function prepareCall(call: ToolCall, tools: Registry): Promise<PreparedCall> {
  const { id, function: { name, arguments: text } } = call;
  const decoded = decodeArguments(text);
  const input = decoded.ok ? decoded.value : text;
  const tool = tools.get(name);
  if (tool === undefined) return { id, name, input, refused: unknownTool(name, tools.names) };
  if (!decoded.ok) {
    return { id, name, input, refused: `${name}: arguments are not JSON: ${decoded.error}` };
  }
  try {
    await tool.load?.();
    const parsed = tool.parse(decoded.value);
    if (!parsed.ok) return { id, name, input, refused: parsed.error };
    return { id, name, input, run: (context) => tool.execute(parsed.input, context) };
  } catch (error) {
    return { id, name, input, refused: `${name}: ${messageOf(error)}` };
  }
}

/** Prepares what can be done of a call that was cut at `maxTokens`. */
export async function prepareCut(
  call: ToolCall,
  tools: Registry,
  maxTokens: number | undefined,
): Promise<PreparedCall> {
  const { id, function: { name, arguments: text } } = call;
  const tool = tools.get(name);
  const input = partialArguments(text);
  const refused = { id, name, input: input ?? text, refused: notRun({ maxTokens }).content };
  if (tool === undefined || input === undefined) return refused;
  try {
    await tool.load?.();
  } catch (error) {
    return { ...refused, refused: `${name}: ${messageOf(error)}` };
  }
  const { executeCut } = tool;
  if (executeCut === undefined) return refused;
  return { id, name, input, run: (context) => executeCut(input, { ...context, maxTokens }) };
}

function unknownTool(name: string, names: readonly string[]): string {
  const available = names.length === 0 ? "none are available" : `available: ${names.join(", ")}`;
  // Models like to put a namespace before a name: `functions.read`.
  const meant = closest(name.replace(/^.*[.:/]/, ""), names);
  return `Unknown tool ${JSON.stringify(name)} (${available})` +
    (meant === undefined ? "" : `; did you mean ${meant}?`);
}

/** Runs a prepared call. Never rejects: what goes wrong is in the result. */
export async function runCall(
  call: PreparedCall,
  signal: AbortSignal,
  grace: number,
): Promise<{ result: ToolResult; leftBehind: boolean }> {
  if ("refused" in call) {
    return { result: { content: call.refused, error: true }, leftBehind: false };
  }
  if (signal.aborted) {
    return { result: { content: "Not run: the run was stopped", error: true }, leftBehind: false };
  }
  try {
    const work = call.run({ signal, callId: call.id });
    return { result: await withGrace(work, signal, grace), leftBehind: false };
  } catch (error) {
    const content = signal.aborted
      ? `${call.name}: stopped before it was done`
      : `${call.name}: ${messageOf(error)}`;
    return { result: { content, error: true }, leftBehind: error instanceof LeftBehindError };
  }
}
