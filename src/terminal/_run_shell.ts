import { type HostProcess, mayRun, ProgramMissingError, startProcess } from "../sys/mod.ts";
import { collect } from "./_collect.ts";

/** The options that keep bash from running start-up files and importing functions. */
export function plainShell(shell: string): string[] {
  return shell === "bash" ? ["-p"] : [];
}

/** Runs a short script with bash or, where there is none, sh; gives its outputs. */
export async function runShell(
  script: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ stdout: string; stderr: string }> {
  const start = (shell: string): HostProcess =>
    startProcess({ program: shell, args: [...plainShell(shell), "-c", script, ...args], env });
  if (!mayRun("bash")) return await collect(start("sh"));
  try {
    return await collect(start("bash"));
  } catch (error) {
    if (!(error instanceof ProgramMissingError)) throw error;
    return await collect(start("sh"));
  }
}
