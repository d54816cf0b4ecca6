import { mayRun, ProgramMissingError, type ProgramResult, runProgram } from "../sys/mod.ts";

/** The options that keep bash from running start-up files and importing functions. */
export function plainShell(shell: string): string[] {
  return shell === "bash" ? ["-p"] : [];
}

/** The shell that starts fastest. */
export function quickShell(): string {
  return mayRun("sh") ? "sh" : "bash";
}

/** Runs a short script with bash, or with sh if there is no bash. */
export async function runShell(
  script: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<ProgramResult> {
  const run = (shell: string) =>
    runProgram({ program: shell, args: [...plainShell(shell), "-c", script, ...args], env });
  if (!mayRun("bash")) return await run("sh");
  try {
    return await run("bash");
  } catch (error) {
    if (!(error instanceof ProgramMissingError)) throw error;
    return await run("sh");
  }
}
