import type { AgentEvent } from "./events.ts";

/**
 * A run of a program that works with a model.
 *
 * The run goes at the pace of whoever reads `events`: nothing happens before the first read.
 * Cancelling `events` aborts the run: the request to the model ends, open tool calls are answered,
 * and `cancel()` resolves once all of that is done.
 */
export interface AgentRun<Result> {
  /** What happens, with back-pressure. Never errors: failures are events. */
  readonly events: ReadableStream<AgentEvent>;
  /** How it ended. Never rejects. Settles when `events` was read to its end, or cancelled. */
  readonly result: Promise<Result>;
}

/**
 * Reads a run to its end, for callers that want its result, giving each event to `onEvent` first.
 * An `onEvent` that returns a promise slows the run down; one that throws aborts it.
 */
export async function follow<Result>(
  run: AgentRun<Result>,
  onEvent?: (event: AgentEvent) => void | Promise<void>,
): Promise<Result> {
  const reader = run.events.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      await onEvent?.(next.value);
    }
  } catch (error) {
    await reader.cancel(error);
    throw error;
  } finally {
    reader.releaseLock();
  }
  return await run.result;
}
