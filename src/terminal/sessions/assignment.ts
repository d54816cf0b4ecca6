/** The shells whose syntax is known; `sh` is POSIX. */
export type ShellName = "bash" | "zsh" | "fish" | "sh";

/** A command line to type at a prompt. */
export interface Assignment {
  /** The line, in printable ASCII and without what an interactive shell would expand. */
  readonly line: string;
  /** Text that the shell prints when it is done; the echo of the line does not contain it. */
  readonly done: string;
}

/**
 * The command line that exports a variable, or removes it (`null`), and keeps itself out of the
 * history. It begins with a blank, which is enough for fish, and for other shells that are
 * configured so.
 *
 * `token`: a unique word of letters and digits.
 */
export function assignment(
  shell: ShellName,
  name: string,
  value: string | null,
  token: string,
): Assignment {
  const set = shell === "fish" ? fishSet(name, value) : posixSet(name, value);
  const forget = shell === "bash" ? `; ${bashForget(token)}` : "";
  return { line: ` ${set} && printf '%s-%s\\n' ${token} done${forget}`, done: `${token}-done` };
}

function posixSet(name: string, value: string | null): string {
  if (value === null) return `unset ${name}`;
  if (isPlain(value)) return `export ${name}='${value}'`;
  // A shell removes line feeds from the end of a substitution, so a dot follows the value.
  const octal = [...new TextEncoder().encode(value)]
    .map((byte) => `\\${byte.toString(8).padStart(3, "0")}`)
    .join("");
  return `export ${name}="$(printf '${octal}.')" && ${name}="\${${name}%.}"`;
}

function fishSet(name: string, value: string | null): string {
  if (value === null) return `set -e ${name}`;
  if (isPlain(value)) return `set -gx ${name} '${value}'`;
  const bytes = [...new TextEncoder().encode(value)]
    .map((byte) => `\\X${byte.toString(16).padStart(2, "0")}`)
    .join("");
  return `set -gx ${name} ${bytes}`;
}

/** Removes the line from the history, if bash has put it there. */
function bashForget(token: string): string {
  return `case "$(HISTTIMEFORMAT= builtin history 1)" in *${token}*) builtin history -d ` +
    `"$(HISTTIMEFORMAT= builtin history 1 | { read -r n _; echo "$n"; })";; esac`;
}

/**
 * True if no character is special, neither to a shell within single quotes nor to a line editor.
 */
function isPlain(value: string): boolean {
  return /^[\w./:@%+=, -]*$/.test(value);
}
