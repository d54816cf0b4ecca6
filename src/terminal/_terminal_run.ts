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

/**
 * Starts bwrap such that Ctrl+C and Ctrl+\\ go to the command alone: bwrap would end by them, and
 * take a command along that catches them. An ignored signal is inherited, and only a program can
 * undo that: `env`, that of GNU at least.
 */
const START = `if env --default-signal=INT,QUIT true 2>/dev/null; then
  trap '' INT QUIT
  exec "$@" env --default-signal=INT,QUIT sh -c "$script" llmcmd "$command" ""
fi
exec "$@" sh -c "$script" llmcmd "$command" ""`;

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
  if (sandbox.kind === "bwrap") {
    const start = `script=$1 command=$2\nshift 2\n${START}`;
    const bwrap = ["bwrap", ...bwrapArguments(sandbox, { ...place, terminal: true })];
    return await runOnTerminal({
      program: "sh",
      args: ["-c", start, "llmcmd", SCRIPT, command, ...bwrap],
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
    args: ["-c", SCRIPT, "llmcmd", command, mark],
    cwd: place.cwd,
    env: { ...env, LLMCMD_RUN_ID: marker },
    signal,
  });
}
