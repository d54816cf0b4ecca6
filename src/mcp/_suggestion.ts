import { clip, closest } from "../base/mod.ts";
import type { CommandSandbox } from "../ports/mod.ts";
import type { CliContext } from "./cli_context.ts";
import { changed } from "./variables.ts";

/** Messages of bash, sh, zsh and fish for a command that they do not find. */
const NOT_FOUND = [
  /^(?:\S+: (?:line )?\d+: )?(\S+): (?:command )?not found$/m,
  /^\S+:\d+: command not found: (\S+)$/m,
  /^fish: Unknown command: (\S+)$/m,
  /^\S+: (?:\d+: )?(\S+): inaccessible or not found$/m,
];

/** Message of a program to which the system refused something. */
const REFUSED = /^(.+): (Permission denied|Operation not permitted|Read-only file system)\.?$/m;

/** Most near names that are suggested. */
const MOST_NAMES = 3;
/** Longest name or path to repeat in a hint, in characters. */
const MOST_CHARACTERS = 200;

/** A hint after a failed command; `undefined` if none is known. */
export async function suggestion(
  outcome: { readonly exitCode: number | null; readonly stderr: string },
  { host, variables }: Pick<CliContext, "host" | "variables">,
): Promise<string | undefined> {
  for (const pattern of NOT_FOUND) {
    const name = pattern.exec(outcome.stderr)?.[1];
    if (name !== undefined) {
      const { PATH = "" } = changed(host.environment(), variables.changes);
      return notFound(clip(name, MOST_CHARACTERS), await host.programs(PATH));
    }
  }
  const [, said = "", why = ""] = REFUSED.exec(outcome.stderr) ?? [];
  if (said === "") return undefined;
  return refused(clip(pathIn(said), MOST_CHARACTERS), why, outcome.exitCode, host.sandbox);
}

function notFound(name: string, programs: readonly string[]): string {
  if (name.includes("/")) return `There is no file ${name}. Check the path.`;
  const near = closestFew(name, programs);
  const hint = near.length === 0
    ? "Check the spelling, or whether it is installed."
    : `Similar commands: ${near.join(", ")}.`;
  return `There is no command ${name}. ${hint}`;
}

/** The nearest names, the nearest first. */
function closestFew(name: string, programs: readonly string[]): string[] {
  const left = new Set(programs);
  const found: string[] = [];
  while (found.length < MOST_NAMES) {
    const next = closest(name, left);
    if (next === undefined) break;
    found.push(next);
    left.delete(next);
  }
  return found;
}

function refused(
  path: string,
  why: string,
  exitCode: number | null,
  sandbox: CommandSandbox,
): string {
  const what = `${why} for ${path}.`;
  if (exitCode === 126) {
    return `${what} It is not executable: run it with its interpreter (sh ${path}), ` +
      "or make it executable with chmod +x.";
  }
  if (sandbox.kind === "none") return what;
  const writable = [...sandbox.writable, "/tmp"].join(", ");
  return `${what} The sandbox lets commands write to ${writable} only, and hides keys and logins.`;
}

/**
 * The path in a message such as `ls: cannot open directory '/root'`, `sh: 1: cd: can't cd to /x` or
 * `bash: line 1: ./x`.
 */
function pathIn(said: string): string {
  const quoted = /['"\u2018]([^'"\u2019]+)['"\u2019][^'"]*$/.exec(said)?.[1];
  if (quoted !== undefined) return quoted;
  const last = said.slice(said.lastIndexOf(": ") + 1).trim();
  return /\s(\/.*)$/.exec(last)?.[1] ?? last;
}
