import { forEach, readableFrom } from "../streams/mod.ts";
import type { AgentEvent } from "./events.ts";

/**
 * A run of a program that works with a model.
 *
 * The reader of `events` sets the pace: nothing happens before the first read. Cancelling `events`
 * aborts the run: the request to the model ends, open tool calls are answered, and `cancel()`
 * resolves once all of that is done.
 */
export interface AgentRun<Result> {
  /** The events, with back-pressure. The stream never errors: failures are events. */
  readonly events: ReadableStream<AgentEvent>;
  /** The result. Never rejects. Settles when `events` was read to its end, or cancelled. */
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
  await forEach(run.events, (event) => onEvent?.(event));
  return await run.result;
}

/**
 * Makes a run of a generator of events, for programs around the loop.
 *
 * `generate` gets the signal that stops the run (it fires with `signal`, and when `events` is
 * cancelled) and a function that settles the result; its last event is `run_end`, after which it
 * has settled. Cancelling lets it go on to its end, so that open calls are answered.
 */
export function startRun<Result>(
  signal: AbortSignal | undefined,
  generate: (
    signal: AbortSignal,
    settle: (result: Result) => void,
  ) => AsyncGenerator<AgentEvent, void, void>,
): AgentRun<Result> {
  let settle: (result: Result) => void = () => {};
  const result = new Promise<Result>((resolve) => settle = resolve);
  const events = readableFrom((stopped) => generate(stopped, settle), {
    signal,
    name: "run",
    onCancel: "finish",
    isLast: ({ type }) => type === "run_end",
  });
  return { events, result };
}
