import type { ToolContext } from "../tool/mod.ts";

/** What to tell of a call while it runs. */
export interface ProgressOptions {
  /** Milliseconds between two reports. */
  readonly interval: number;
  /** Seconds that it may take. */
  readonly seconds: number;
  /** One line for people. */
  readonly message?: (() => string | undefined) | undefined;
}

/** Runs an action, and reports the seconds that it has taken until it ends. */
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
    // Each report must tell of more than the one before.
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
