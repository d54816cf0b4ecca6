import type { TreeCommand } from "./_tree_starter.ts";

/** What stands before the name of a variable until the command's own environment is made. */
const PREFIX = "LLMCMD_SET_";

/**
 * Makes a command line see changes of its environment that what starts, confines and kills it does
 * not see: a `PATH` or `LD_LIBRARY_PATH` of somebody else's choice would be a way around all that.
 * The values travel under other names, and `sh` gives them their own before it becomes the shell of
 * the command.
 *
 * `shell`: its absolute path; bash, or sh where there is none, if absent.
 *
 * Throws a `RangeError` for a name that no shell takes.
 */
export function withChanges(
  command: string,
  shell: string | undefined,
  changes: Readonly<Record<string, string | null>>,
): { readonly line: TreeCommand; readonly env: Readonly<Record<string, string>> } {
  const entries = Object.entries(changes);
  if (entries.length === 0) {
    return { line: shell === undefined ? command : [shell, "-c", command], env: {} };
  }
  const env: Record<string, string> = {};
  const lines = entries.map(([name, value]) => {
    if (!/^[A-Za-z_]\w*$/.test(name)) {
      throw new RangeError(`Cannot change the variable ${JSON.stringify(name)}: it is no name`);
    }
    if (value === null) return `unset ${name}`;
    env[PREFIX + name] = value;
    return `export ${name}="$${PREFIX}${name}"; unset ${PREFIX}${name}`;
  });
  // The shell is found before there is another PATH.
  const script = `${FIND_SHELL}\n${lines.join("\n")}\nexec "$@"`;
  return { line: ["sh", "-c", script, "sh", shell ?? "", "-c", command], env };
}

const FIND_SHELL =
  `if [ -z "$1" ]; then shift; set -- "$(command -v bash || command -v sh)" "$@"; fi`;
