import { runShell } from "./_run_shell.ts";
import { commandEnvironment } from "./environment.ts";
import type { HiddenPath } from "./sandbox.ts";

const SCRIPT = 'for path; do [ -e "$path" ] || continue; ' +
  'if [ -d "$path" ]; then printf "d "; else printf "f "; fi; readlink -f "$path"; done';

/**
 * Which of the paths exist, links followed. A shell looks, as the permission to run it is needed
 * anyway and the one to read keys should not be.
 */
export async function existingPaths(paths: readonly string[]): Promise<HiddenPath[]> {
  const { stdout } = await runShell(SCRIPT, ["sh", ...paths], commandEnvironment());
  const lines = stdout.split("\n").filter((line) => /^[df] \//.test(line));
  return lines.map((line) => ({ path: line.slice(2), folder: line.startsWith("d") }));
}

/** A folder with links followed; `undefined` when there is none. */
export async function realFolder(path: string): Promise<string | undefined> {
  const [found] = await existingPaths([path]);
  return found?.folder === true ? found.path : undefined;
}
