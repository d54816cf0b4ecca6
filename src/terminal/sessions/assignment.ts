/** The shells whose syntax is known; `sh` is POSIX. */
export type ShellName = "bash" | "zsh" | "fish" | "sh";

/** A command line to type at a prompt. */
export interface Assignment {
  /** The line, in printable ASCII and without what an interactive shell would expand. */
  readonly line: string;
  /** What the shell prints when it was done; the echo of the line does not have it. */
  readonly done: string;
}

/**
 * The command line that exports a variable, or removes it (`null`), and keeps itself out of the
 * history. It begins with a blank, which is enough for fish and for those whose users have set so.
 *
 * `token`: a word of letters and digits that nobody else has.
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
  // What printf writes may end in line feeds, which the shell takes away: so a dot comes after it.
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

/** Takes the line out of the history, if bash has put it there. */
function bashForget(token: string): string {
  return `case "$(HISTTIMEFORMAT= builtin history 1)" in *${token}*) builtin history -d ` +
    `"$(HISTTIMEFORMAT= builtin history 1 | { read -r n _; echo "$n"; })";; esac`;
}

/** Whether nothing in it means anything to a shell, within single quotes, or to an editor. */
function isPlain(value: string): boolean {
  return /^[\w./:@%+=, -]*$/.test(value);
}
