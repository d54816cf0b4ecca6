import type { ChildProcess } from "node:child_process";
import { denoCommand, type ProgramOptions, startError } from "./_start_error.ts";

/** The exit code of a process, once it has ended. */
export function exitCode(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    child.once("exit", async (code, signal) => {
      if (code !== null || signal === null) return resolve(code ?? 0);
      const { constants } = await import("node:os");
      resolve(128 + constants.signals[signal]);
    });
  });
}

/** What starts the process; Node's types leave it out. */
export interface Spawning {
  spawn(options: {
    readonly file: string;
    readonly args: readonly string[];
    readonly cwd: string | undefined;
    readonly envPairs: readonly string[];
    readonly detached: boolean;
    readonly stdio: readonly ("pipe" | "ignore" | "inherit")[];
  }): void;
}

export function canSpawn(child: ChildProcess): child is ChildProcess & Spawning {
  return "spawn" in child && typeof child.spawn === "function";
}

/**
 * Why a program did not start. Node's code for a missing program is that for a missing folder, too,
 * so that `Deno.Command` is asked: it fails alike, and says which. Should it not fail, what it has
 * started without arguments is killed.
 */
export async function whyNotStarted(options: ProgramOptions, error: unknown): Promise<Error> {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code !== "ENOENT" && code !== "EACCES") return startError(options, error);
  try {
    const child = denoCommand({ ...options, args: [] }, "null").spawn();
    child.kill("SIGKILL");
    await child.status;
  } catch (denoError) {
    return startError(options, denoError);
  }
  return startError(options, error);
}
