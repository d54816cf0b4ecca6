import type { TreeCommand } from "./_tree_starter.ts";

/** Prefix of a variable's name until the command's own environment is set. */
const PREFIX = "LLMCMD_SET_";

/**
 * Changes the environment of a command line, but not of the programs that start, confine and kill
 * it: a `PATH` or `LD_LIBRARY_PATH` from the model would be a way around them. The values are
 * passed under prefixed names, and `sh` renames them before it becomes the command's shell.
 *
 * `shell`: absolute path of the shell; by default bash, or sh if there is no bash.
 *
 * Throws a `RangeError` for a name that is not valid in a shell.
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
      throw new RangeError(
        `Cannot change the variable ${JSON.stringify(name)}: it is not a valid name`,
      );
    }
    if (value === null) return `unset ${name}`;
    env[PREFIX + name] = value;
    return `export ${name}="$${PREFIX}${name}"; unset ${PREFIX}${name}`;
  });
  // The shell is looked up before PATH changes.
  const script = `${FIND_SHELL}\n${lines.join("\n")}\nexec "$@"`;
  return { line: ["sh", "-c", script, "sh", shell ?? "", "-c", command], env };
}

const FIND_SHELL =
  `if [ -z "$1" ]; then shift; set -- "$(command -v bash || command -v sh)" "$@"; fi`;
