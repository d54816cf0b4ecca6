import { type CommandOutcome, describeOutcome } from "../../coder/mod.ts";
import type { CommandSession } from "../../terminal/mod.ts";

/** The longest time-out that timers can have, in milliseconds: 24 days. */
const NO_TIMEOUT = 2 ** 31 - 1;

/** Runs a `!command` that has no terminal; it may take as long as it likes. */
export function capturedCommand(
  runner: CommandSession,
  command: string,
  signal: AbortSignal,
  onOutput?: (chunk: Uint8Array<ArrayBuffer>) => Promise<void>,
): Promise<CommandOutcome> {
  return runner.run(command, { timeout: NO_TIMEOUT, signal, onOutput });
}

/** How a command ended whose output was shown. */
export function endingOf(outcome: CommandOutcome): string {
  return describeOutcome({ ...outcome, text: "", truncated: undefined }, NO_TIMEOUT / 1000);
}
