import type { Chunk } from "../../streams/mod.ts";
import { AgentError } from "../errors.ts";

/** Options of a git command. */
export interface GitOptions {
  /** Variables in addition to those that git always gets. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** The standard input; empty if absent. */
  readonly stdin?: Chunk | undefined;
  /** Most bytes of standard output to keep; the rest is read and dropped. Default 64 MiB. */
  readonly limit?: number | undefined;
}

/** The result of a git command. */
export interface GitResult {
  /** Its exit status. */
  readonly status: number;
  /** Its standard output, perhaps cut. */
  readonly stdout: Chunk;
  /** True if `stdout` was cut. */
  readonly cut: boolean;
  /** Its standard error. */
  readonly stderr: string;
}

/** Runs git: a port of the gateway. */
export interface Git {
  /** Runs `git` with the arguments, in a folder. Rejects if git cannot be started. */
  run(args: readonly string[], cwd: string, options?: GitOptions): Promise<GitResult>;
}

/**
 * Settings for every git command of the gateway.
 *
 * An agent may have set up hooks, a file system monitor or signing in the repository, and git would
 * run these outside the agent's sandbox. Git must not start background work, either.
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

/** Variables for every git command of the gateway: no questions, messages in English. */
const SAFE_VARIABLES = { GIT_TERMINAL_PROMPT: "0", LC_ALL: "C" };

/**
 * Runs a git command with {@linkcode safeSettings}. Does not reject for an exit status other than
 * 0.
 */
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
 * @throws {AgentError} `repository`, with git's error output, if it fails.
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

/** Encodes names as input for a command that reads them with `-z`. */
export function namesInput(names: readonly string[]): Chunk {
  return new TextEncoder().encode(names.map((name) => `${name}\0`).join(""));
}
