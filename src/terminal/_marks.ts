import type { Survivors } from "../ports/mod.ts";
import { processHost } from "../sys/mod.ts";
import { survivorsOf } from "./_control.ts";
import { runShell } from "./_run_shell.ts";
import { newRunId } from "./environment.ts";
import { MARKS_SWEEP } from "./keepers/keepers.ts";

/** Marks that distinguish the processes of one command from all others. */
export interface Marks {
  /** The last part of `LLMCMD_RUN_ID`. */
  readonly id: string;
  /** The limit on resident memory, in bytes; empty on other systems than Linux. */
  readonly mark: string;
}

/** New unique marks, and the value of `LLMCMD_RUN_ID` that contains the id. */
export function newMarks(): Marks & { readonly marker: string } {
  return { ...newRunId(), mark: newMark() };
}

/**
 * Kills all processes that carry one of the marks, no matter whose children they are now. Returns
 * the number of those that are left, or `unknown`.
 */
export async function sweep(
  marks: readonly Marks[],
  env: Readonly<Record<string, string>>,
): Promise<Survivors> {
  const join = (values: string[]) => values.filter((value) => value !== "").join("|");
  const values = [join(marks.map(({ id }) => id)), join(marks.map(({ mark }) => mark))];
  const { stdout } = await runShell(MARKS_SWEEP, ["llmcmd-keeper", ...values], env);
  return sweptCount(stdout);
}

/** Reads the number that a sweep has printed. */
export function sweptCount(stdout: string): Survivors {
  return survivorsOf(/^dead (\w+)$/m.exec(stdout)?.[1]);
}

/**
 * A unique limit on resident memory, of at least 4 PiB. Linux does not enforce it, and programs
 * that look at it (`sort`) see more memory than there is.
 */
function newMark(): string {
  if (processHost().os !== "linux") return "";
  const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2));
  return String(2 ** 52 + ((high % 2 ** 9) * 2 ** 32 + low) * 1024);
}
