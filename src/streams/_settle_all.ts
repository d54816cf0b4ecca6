import { messageOf } from "../base/mod.ts";

/** One of several things to close, with its name for error messages. */
export interface Closing {
  readonly name?: string;
  run(): unknown;
}

/**
 * Starts all of `closings` at once and waits for all, even if some fail.
 *
 * @throws The error if one fails, or an AggregateError that names all that failed.
 */
export async function settleAll(closings: readonly Closing[]): Promise<void> {
  const results = await Promise.allSettled(closings.map(async (closing) => await closing.run()));
  const errors: unknown[] = [];
  const messages: string[] = [];
  results.forEach((result, index) => {
    if (result.status === "fulfilled") return;
    const reason: unknown = result.reason;
    const message = messageOf(reason);
    const name = closings[index]?.name;
    errors.push(reason);
    messages.push(name === undefined ? message : `${name}: ${message}`);
  });
  if (errors.length === 1) throw errors[0];
  if (errors.length > 1) {
    throw new AggregateError(errors, `${errors.length} did not close: ${messages.join("; ")}`);
  }
}
