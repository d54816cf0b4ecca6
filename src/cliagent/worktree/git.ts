import type { Chunk } from "../../streams/mod.ts";
import { AgentError } from "../errors.ts";

/** How a git command is run. */
export interface GitOptions {
  /** Variables besides those that git gets anyway. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** What it gets on standard input; nothing if absent. */
  readonly stdin?: Chunk | undefined;
  /** Most bytes of standard output to keep; more are read and left out. 64 MiB if absent. */
  readonly limit?: number | undefined;
}

/** What a git command gave. */
export interface GitResult {
  /** Its exit status. */
  readonly status: number;
  /** Its standard output, or the beginning of it. */
  readonly stdout: Chunk;
  /** Whether `stdout` is only the beginning. */
  readonly cut: boolean;
  /** Its standard error. */
  readonly stderr: string;
}

/** Runs git: the port through which the gateway does. */
export interface Git {
  /** Runs `git` with the arguments, in a folder. Rejects if git cannot be started. */
  run(args: readonly string[], cwd: string, options?: GitOptions): Promise<GitResult>;
}

/**
 * Settings for every git command of ours. An agent may have written hooks, a file system monitor or
 * signing into the repository: they would run as us, outside its sandbox. Nor may git start work in
 * the background.
 */
export const safeSettings: readonly string[] = [
  "-c",
  "core.hooksPath=/dev/null",
  "-c",
  "core.fsmonitor=false",
  "-c",
  "commit.gpgsign=false",
  "-c",
  "gc.auto=0",
  "-c",
  "maintenance.auto=false",
];

/** Variables for every git command of ours: no questions, messages in English. */
const SAFE_VARIABLES = { GIT_TERMINAL_PROMPT: "0", LC_ALL: "C" };

/** Runs a git command with {@linkcode safeSettings}, whatever it ends with. */
export function tryGit(
  git: Git,
  args: readonly string[],
  cwd: string,
  options: GitOptions = {},
): Promise<GitResult> {
  return git.run([...safeSettings, ...args], cwd, {
    ...options,
    env: { ...SAFE_VARIABLES, ...options.env },
  });
}

/**
 * Runs a git command with {@linkcode safeSettings}.
 *
 * @throws {AgentError} `repository`, with what git said, when it fails.
 */
export async function runGit(
  git: Git,
  args: readonly string[],
  cwd: string,
  options: GitOptions = {},
): Promise<GitResult> {
  const result = await tryGit(git, args, cwd, options);
  if (result.status === 0) return result;
  const name = args.find((arg) => !arg.startsWith("-")) ?? "";
  throw new AgentError("repository", `git ${name} failed in ${cwd}`, {
    detail: result.stderr.trim().slice(0, 2000) || `status ${result.status}`,
  });
}

/** Standard output as text. */
export function stdoutText({ stdout }: GitResult): string {
  return new TextDecoder().decode(stdout);
}

/** Standard output of a command with `-z`, as names. */
export function namesOf(result: GitResult): string[] {
  return stdoutText(result).split("\0").filter((name) => name !== "");
}

/** Names as the input of a command that reads them with `-z`. */
export function namesInput(names: readonly string[]): Chunk {
  return new TextEncoder().encode(names.map((name) => `${name}\0`).join(""));
}
