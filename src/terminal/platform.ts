import type { ShellFacts } from "../ports/mod.ts";
import { PermissionError, processHost, ProgramMissingError, runProgram } from "../sys/mod.ts";
import { CommandStartError } from "./command_start_error.ts";
import { commandEnvironment } from "./environment.ts";

/** Prints the path of the first named program that is on the PATH and can be run. */
const FIND = `for name; do
  path=$(command -v -- "$name") && [ -x "$path" ] && [ ! -d "$path" ] && echo "$path" && exit 0
done
exit 1`;

/**
 * Finds the shell: `wanted` (a name or a path), otherwise bash or sh. On Windows it is pwsh or cmd,
 * but this room runs no commands there.
 *
 * Needs `--allow-run=sh`, on Windows `--allow-run=where`.
 *
 * @throws {CommandStartError} There is no such shell.
 * @throws {PermissionError} `--allow-run` does not cover the program that finds it.
 */
export async function findShell(wanted?: string): Promise<ShellFacts> {
  const { os } = processHost();
  if (os === "windows") return await windowsShell();
  const names = wanted === undefined ? ["bash", "sh"] : [wanted];
  const path = await find("sh", ["-c", FIND, "sh", ...names]);
  if (path === undefined || !path.startsWith("/")) {
    throw new CommandStartError(
      wanted === undefined
        ? "Cannot run commands: neither bash nor sh is on the PATH"
        : `Cannot run commands with ${wanted}: it is not a program; give the path of a shell`,
    );
  }
  const shell = path.slice(path.lastIndexOf("/") + 1);
  return {
    platform: os,
    shell,
    shellPath: path,
    pathSeparator: "/",
    commandSeparator: "&&",
    environmentPrefix: "$",
    // fish has no here-documents; all other shells that take -c are of the Bourne family.
    features: { pipelines: true, redirects: true, backgroundJobs: true, heredoc: shell !== "fish" },
  };
}

async function windowsShell(): Promise<ShellFacts> {
  const features = { pipelines: true, redirects: true, backgroundJobs: true, heredoc: false };
  const common = { platform: "windows", pathSeparator: "\\", features };
  const pwsh = await find("where", ["pwsh"]);
  if (pwsh !== undefined) {
    return {
      ...common,
      shell: "pwsh",
      shellPath: pwsh,
      commandSeparator: ";",
      environmentPrefix: "$env:",
    };
  }
  const cmd = processHost().env["ComSpec"] ?? await find("where", ["cmd"]);
  if (cmd === undefined) {
    throw new CommandStartError("Cannot find a shell: neither pwsh nor cmd is on the PATH");
  }
  return {
    ...common,
    shell: "cmd",
    shellPath: cmd,
    commandSeparator: "&&",
    environmentPrefix: "%",
  };
}

/** The first line that a program prints, if it is successful. */
async function find(program: string, args: readonly string[]): Promise<string | undefined> {
  try {
    const { status, stdout } = await runProgram({ program, args, env: commandEnvironment() });
    const [line = ""] = stdout.split(/\r?\n/);
    return status === 0 && line !== "" ? line : undefined;
  } catch (error) {
    if (error instanceof ProgramMissingError) return undefined;
    if (error instanceof PermissionError) throw error;
    throw new CommandStartError(error instanceof Error ? error.message : String(error));
  }
}
