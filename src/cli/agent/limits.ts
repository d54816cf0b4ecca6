import type { CoderLimits } from "../../coder/mod.ts";
import type { LimitOption } from "../pages/mod.ts";
import { UsageError } from "../usage.ts";

const LIMITS = {
  "max-calls": "apiCalls",
  "max-tokens": "tokens",
  "context": "contextTokens",
  "bash-timeout": "bashSeconds",
} as const;

/**
 * Reads the argument of an option that sets a limit.
 *
 * @throws {UsageError}
 */
export function parseLimit(name: LimitOption, as: string, text: string): Partial<CoderLimits> {
  const least = name === "max-tokens" ? 0 : 1;
  if (!/^\d{1,15}$/.test(text) || Number(text) < least) {
    throw new UsageError(
      `the argument of '${as}' is '${text}': give a whole number of at least ${least}`,
    );
  }
  return { [LIMITS[name]]: Number(text) };
}
