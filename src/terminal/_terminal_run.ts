import type { Survivors } from "../ports/mod.ts";
import { type Duplex, mayRun, ProgramMissingError, startProcess } from "../sys/mod.ts";
import { bwrapArguments, type BwrapPlace } from "./_bwrap.ts";
import { type Marks, sweep } from "./_marks.ts";
import type { NamespaceHolder } from "./_namespace_holder.ts";
import { plainShell } from "./_run_shell.ts";
import { terminalFilter } from "./_terminal_filter.ts";
import { signalOf, type TerminalResult } from "./command.ts";
import { TERMINAL_JOB } from "./keepers/keepers.ts";
import type { Sandbox } from "./sandbox.ts";

/** A command to run at the terminal. */
export interface TerminalCommand {
  /** The command line for the system's shell. */
  readonly line: string;
  readonly place: BwrapPlace;
  readonly sandbox: Sandbox;
  readonly env: Readonly<Record<string, string>>;
  /** Marks by which its processes are found. */
  readonly marks: Marks & { readonly marker: string };
  /** The holder whose namespaces it joins; it gets its own namespaces if absent. */
  readonly holder?: NamespaceHolder | undefined;
}

/** A running command that uses this process's terminal. */
export interface TerminalRun {
  /** Settles with its exit code when it has ended. */
  readonly status: Promise<number>;
  /** Kills the processes with its marks; returns the number of those left. */
  kill(): Promise<Survivors>;
}

/**
 * Starts a command as the foreground job of the terminal that this process has.
 *
 * A shell outside the sandbox gives it the terminal, and takes it back at its end. Inside a PID
 * namespace a second shell does the same, because Ctrl+C must reach the command alone: it would end
 * `bwrap`, and so the command, even if the command handles the signal.
 */
export async function startAtTerminal(command: TerminalCommand): Promise<TerminalRun> {
  if (!mayRun("bash")) return await startWith("sh", command);
  try {
    return await startWith("bash", command);
  } catch (error) {
    if (!(error instanceof ProgramMissingError)) throw error;
    return await startWith("sh", command);
  }
}

/** Writes bytes to a program that reads them to their end and does not answer. */
async function give(duplex: Duplex, bytes: Uint8Array): Promise<void> {
  const writer = duplex.writable.getWriter();
  await writer.write(bytes);
  await writer.close();
  await duplex.readable.cancel();
}

async function startWith(shell: string, command: TerminalCommand): Promise<TerminalRun> {
  const { line, marks, env, holder } = command;
  const job = [shell, ...plainShell(shell), "-c", TERMINAL_JOB, "llmcmd-terminal"];
  const inside = insideOf(command, job, [shell, "-c", line]);
  const [program = "", ...args] = [...job, marks.marker, marks.mark, ...inside];
  const { cwd } = command.place;
  const duplexes = command.sandbox.kind === "none" ? 0 : 1;
  const process = await startProcess({ program, args, cwd, env, duplexes, terminal: true });
  const [filter] = process.duplexes;
  // If it fails, bwrap ends without running the command.
  if (filter !== undefined) void give(filter, terminalFilter()).catch(() => {});
  return {
    status: process.status,
    kill: async () => holder?.over === true ? 0 : await sweep([marks], env),
  };
}

/** The command line that the shell outside the sandbox runs. */
function insideOf(
  { place, sandbox, marks, holder }: TerminalCommand,
  job: readonly string[],
  words: readonly string[],
): readonly string[] {
  if (sandbox.kind === "none") return words;
  const joins = holder === undefined ? undefined : { id: marks.id, network: holder.network };
  const args = bwrapArguments(sandbox, place, { terminal: true, joins });
  // The inner shell gets no marks of its own, because it inherits them.
  const within = [...args, ...job, "", "", ...words];
  return holder === undefined ? ["bwrap", ...within] : holder.join(within);
}

/** Waits until a command at the terminal has ended, or kills it when the signal fires. */
export async function endAtTerminal(
  run: TerminalRun,
  signal: AbortSignal,
): Promise<Omit<TerminalResult, "sandbox" | "duration">> {
  let survivors: Promise<Survivors> | undefined;
  const kill = () => void (survivors = run.kill().catch(() => "unknown" as const));
  if (signal.aborted) kill();
  signal.addEventListener("abort", kill, { once: true });
  const exitCode = await run.status.finally(() => signal.removeEventListener("abort", kill));
  return survivors === undefined
    ? { exitCode, signal: signalOf(exitCode), aborted: false, survivors: 0 }
    : { exitCode: null, signal: null, aborted: true, survivors: await survivors };
}
