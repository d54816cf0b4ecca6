import { mayRun, runOnTerminal } from "../sys/mod.ts";
import { bwrapArguments, type BwrapPlace } from "./_bwrap.ts";
import { type Marks, newMark } from "./_keeper.ts";
import { terminalFilter } from "./_terminal_filter.ts";
import { newRunId } from "./environment.ts";
import type { Sandbox } from "./sandbox.ts";

/** Runs `$1` by bash where there is one; `$2` is the mark of its processes. */
const SCRIPT = `[ -z "$2" ] || ulimit -S -m $(($2 / 1024)) 2>/dev/null
command -v bash >/dev/null 2>&1 && exec bash -c "$1"
exec sh -c "$1"`;

/** A command line on the terminal of this process. */
export interface TerminalRun {
  readonly command: string;
  readonly sandbox: Sandbox;
  readonly place: BwrapPlace;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Is given the marks that tell its processes from others, where no namespace does. */
  remember(marks: Marks): void;
}

/**
 * Runs a command line that has the user's terminal. No keeper stands between: what is in a PID
 * namespace ends with the command; without one, what it leaves carries marks.
 */
export async function terminalRun(run: TerminalRun): Promise<number> {
  const { command, sandbox, place, env, signal } = run;
  const words = (mark: string) => ["-c", SCRIPT, "llmcmd", command, mark];
  if (sandbox.kind === "bwrap") {
    return await runOnTerminal({
      program: "bwrap",
      args: [...bwrapArguments(sandbox, { ...place, terminal: true }), "sh", ...words("")],
      cwd: place.cwd,
      descriptor: terminalFilter(),
      ...{ env, signal },
    });
  }
  const { id, marker } = newRunId();
  const mark = newMark();
  run.remember({ id, mark });
  return await runOnTerminal({
    program: mayRun("sh") ? "sh" : "bash",
    args: words(mark),
    cwd: place.cwd,
    env: { ...env, LLMCMD_RUN_ID: marker },
    signal,
  });
}
