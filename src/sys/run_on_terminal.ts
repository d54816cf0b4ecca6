import type { ChildProcess } from "node:child_process";
import { type ProgramOptions, requireRun } from "./_start_error.ts";
import { canSpawn, exitCode, whyNotStarted } from "./_spawn.ts";

/** What to run on the terminal. */
export interface TerminalProgramOptions extends ProgramOptions {
  /** What it can read from its descriptor 3. */
  readonly descriptor?: Uint8Array | undefined;
  /** Kills it. */
  readonly signal?: AbortSignal | undefined;
}

/** Keys that send a signal to all who have the terminal, this program included. */
const KEYS = ["SIGINT", "SIGQUIT"] as const;

/**
 * Runs a program that has the terminal: this process's own standard input and outputs, session and
 * process group. So the keys that send signals reach it; this process ignores those meanwhile.
 * Resolves to its exit code, 128 + n for signal n. Needs `--allow-run=PROGRAM`, and never asks for it.
 *
 * @throws {ProgramMissingError} There is no such program.
 * @throws {PermissionError} `--allow-run` doesn't cover it.
 * @throws {FileError} The folder is missing or is none, the arguments are too long, or the system
 * refuses.
 */
export async function runOnTerminal(options: TerminalProgramOptions): Promise<number> {
  const { program, args, cwd, env, descriptor, signal } = options;
  requireRun(program);
  const { ChildProcess } = await import("node:child_process");
  const { Socket } = await import("node:net");
  const child = new ChildProcess();
  const started = new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve);
    child.on("error", reject);
  });
  const status = exitCode(child);
  if (!canSpawn(child)) throw new Error("This version of Deno has no ChildProcess.spawn()");
  const ignore = () => {};
  for (const key of KEYS) Deno.addSignalListener(key, ignore);
  const kill = () => void child.kill("SIGKILL");
  try {
    child.spawn({
      file: program,
      args: [program, ...args],
      cwd,
      envPairs: Object.entries(env).map(([name, value]) => `${name}=${value}`),
      detached: false,
      stdio: [
        "inherit",
        "inherit",
        "inherit",
        ...descriptor === undefined ? [] : ["pipe" as const],
      ],
    });
    await started.catch(async (error) => {
      throw await whyNotStarted(options, error);
    });
    const socket = descriptorOf(child, Socket);
    socket?.on("error", ignore);
    if (descriptor !== undefined) socket?.end(descriptor);
    signal?.addEventListener("abort", kill, { once: true });
    if (signal?.aborted) kill();
    return await status;
  } finally {
    signal?.removeEventListener("abort", kill);
    for (const key of KEYS) Deno.removeSignalListener(key, ignore);
  }
}

/** Our end of the child's descriptor 3. */
function descriptorOf(
  child: ChildProcess,
  Socket: typeof import("node:net").Socket,
): import("node:net").Socket | undefined {
  const stream = child.stdio[3];
  return stream instanceof Socket ? stream : undefined;
}
