import script from "./_existing_paths.sh" with { type: "text" };
import { plainShell, quickShell } from "./_run_shell.ts";
import { runProgram } from "../sys/mod.ts";
import { CommandStartError } from "./command_start_error.ts";
import { commandEnvironment } from "./environment.ts";

/** A path that exists, symbolic links followed. */
export interface ExistingPath {
  /** The path, symbolic links followed. */
  readonly path: string;
  /** True for a folder. */
  readonly folder: boolean;
}

/**
 * Looks up each of the paths; `undefined` for a missing one. A shell does it, because permission to
 * run it is needed anyway, but permission to read the user's keys should not be.
 */
export async function existingPaths(
  paths: readonly string[],
  program = quickShell(),
): Promise<(ExistingPath | undefined)[]> {
  const args = [...plainShell(program), "-c", script, "sh", ...paths];
  const { status, stdout } = await runProgram({ program, args, env: commandEnvironment() });
  const found = stdout.split("\0");
  // A path that was not looked up would count as missing, and so would not be hidden.
  if (status !== 0 || found.length !== paths.length + 1) {
    throw new CommandStartError(
      `Cannot look for hidden paths: ${program} ended with ${status} before it had looked for all`,
    );
  }
  return paths.map((_, index) => {
    const path = found[index]?.slice(1) ?? "";
    return path.startsWith("/") ? { path, folder: found[index]?.[0] === "d" } : undefined;
  });
}
