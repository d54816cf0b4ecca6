import { type CommandOutcome, describeOutcome } from "../../coder/mod.ts";
import type { CommandSession } from "../../terminal/mod.ts";

/** The longest time-out that timers can have, in milliseconds: 24 days. */
const NO_TIMEOUT = 2 ** 31 - 1;

/** Runs a `!command` without a terminal and without a time limit. */
export function capturedCommand(
  runner: CommandSession,
  command: string,
  signal: AbortSignal,
  onOutput?: (chunk: Uint8Array<ArrayBuffer>) => Promise<void>,
): Promise<CommandOutcome> {
  return runner.run(command, { timeout: NO_TIMEOUT, signal, onOutput });
}

/** Describes the end of a command whose output was shown. */
export function endingOf(outcome: CommandOutcome): string {
  return describeOutcome({ ...outcome, text: "", truncated: undefined }, NO_TIMEOUT / 1000);
}
