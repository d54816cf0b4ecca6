import type { ToolContext } from "../tool/mod.ts";

/** Options of the progress reports of a call. */
export interface ProgressOptions {
  /** Milliseconds between two reports. */
  readonly interval: number;
  /** Most seconds that the call may take. */
  readonly seconds: number;
  /** Gives one line of text for people. */
  readonly message?: (() => string | undefined) | undefined;
}

/** Runs an action, and reports the seconds passed until it ends. */
export async function withProgress<Result>(
  progress: ToolContext["progress"],
  { interval, seconds, message }: ProgressOptions,
  action: () => Promise<Result>,
): Promise<Result> {
  if (progress === undefined) return await action();
  const begin = performance.now();
  let told = 0;
  const timer = setInterval(() => {
    const passed = Math.min(Math.round(performance.now() - begin) / 1000, seconds);
    // MCP requires each report to be higher than the one before.
    if (passed <= told) return;
    told = passed;
    const text = message?.();
    progress({
      progress: passed,
      total: seconds,
      ...(text === undefined ? {} : { message: text }),
    });
  }, interval);
  try {
    return await action();
  } finally {
    clearInterval(timer);
  }
}
