import type { Chunk } from "../../streams/mod.ts";
import type { AgentFiles } from "./files.ts";
import { type Git, type GitOptions, namesInput, namesOf, runGit, stdoutText } from "./git.ts";
import type { Worktree } from "./worktree.ts";

/** Largest patch that is kept, in bytes: 10 MiB. */
export const maxPatchBytes: number = 10 * 1024 ** 2;

/** Size of the changes. */
export interface DiffStat {
  /** Files changed. */
  readonly files: number;
  /** Lines added, in files that are text. */
  readonly insertions: number;
  /** Lines removed, in files that are text. */
  readonly deletions: number;
}

/** The changes of an agent since the base commit, including its own commits. */
export interface Changes {
  /** Their size. */
  readonly stat: DiffStat;
  /** The patch, for `git apply`; empty if nothing was changed. */
  readonly patch: Chunk;
  /** Reason why the patch is incomplete, such as its size (see {@linkcode maxPatchBytes}). */
  readonly note: string | undefined;
}

/** Ports for reading a worktree. */
export interface LookPorts {
  /** Runs git. */
  readonly git: Git;
  /** Files. */
  readonly files: AgentFiles;
}

/**
 * Runs git in a worktree with an index of the gateway. The agent's index stays as it is, and a lock
 * left by a killed git does not matter.
 *
 * The repository is given explicitly: if the agent has removed `.git`, git would find another
 * repository around the state folder.
 */
export function gitIn(
  { git }: LookPorts,
  { root, gitDir }: Worktree,
  index: string,
  args: readonly string[],
  options: GitOptions = {},
): ReturnType<typeof runGit> {
  return runGit(git, args, root, {
    ...options,
    env: {
      ...options.env,
      GIT_DIR: gitDir,
      GIT_WORK_TREE: root,
      GIT_INDEX_FILE: index,
      GIT_LITERAL_PATHSPECS: "1",
    },
  });
}

/**
 * Adds the current state of all files to the index at `index`: changed, removed and new ones.
 * Leaves out ignored files, files that were copied in, and nested repositories, which it returns.
 */
export async function stageAll(
  ports: LookPorts,
  worktree: Worktree,
  index: string,
): Promise<{ nested: string[] }> {
  const run = (args: readonly string[], options?: GitOptions) =>
    gitIn(ports, worktree, index, args, options);
  await ports.files.remove(index);
  const own = `${worktree.gitDir}/index`;
  // The agent's index has the files' times; without them git would read every file.
  if (await ports.files.realPath(own) === undefined) await run(["read-tree", worktree.base]);
  else await ports.files.copy(own, index);
  await run(["add", "--update", "--", "."]);
  const included = new Set(worktree.included);
  const others = namesOf(await run(["ls-files", "-z", "--others", "--exclude-standard"]))
    .filter((name) => !included.has(name));
  // git lists a nested repository with a slash at the end, and would add it as a submodule.
  const nested = others.filter((name) => name.endsWith("/"));
  const untracked = others.filter((name) => !name.endsWith("/"));
  if (untracked.length > 0) {
    await run(["add", "--pathspec-from-file=-", "--pathspec-file-nul"], {
      stdin: namesInput(untracked),
    });
  }
  return { nested };
}

const DIFF = ["diff", "--cached", "--no-ext-diff", "--no-textconv", "--no-color"];

/** Reads the changes since the base commit: tracked, untracked and binary files. */
export async function readChanges(
  ports: LookPorts,
  worktree: Worktree,
  index: string,
): Promise<Changes> {
  if (await ports.files.realPath(worktree.root) === undefined) {
    const stat = { files: 0, insertions: 0, deletions: 0 };
    return { stat, patch: new Uint8Array(0), note: "The run removed its own checkout" };
  }
  const { nested } = await stageAll(ports, worktree, index);
  const left = nested.length === 0
    ? undefined
    : `The patch leaves out repositories inside the worktree: ${nested.join(" ")}`;
  const diff = (options: readonly string[]) =>
    gitIn(ports, worktree, index, [...DIFF, ...options, worktree.base], { limit: maxPatchBytes });
  const stat = statOf(stdoutText(await diff(["--numstat", "-z", "--no-renames"])));
  if (stat.files === 0) return { stat, patch: new Uint8Array(0), note: left };
  const whole = await diff(["--binary", "--full-index"]);
  if (!whole.cut) return { stat, patch: whole.stdout, note: left };
  const text = await diff(["--full-index"]);
  if (!text.cut) {
    const note =
      `The patch leaves out binary files: with them it is larger than ${maxPatchBytes} bytes`;
    return { stat, patch: text.stdout, note };
  }
  const note = `The patch is larger than ${maxPatchBytes} bytes: set commit to keep such changes`;
  return { stat, patch: new Uint8Array(0), note };
}

function statOf(numstat: string): DiffStat {
  const stat = { files: 0, insertions: 0, deletions: 0 };
  for (const line of numstat.split("\0")) {
    const counts = /^(\d+|-)\t(\d+|-)\t/.exec(line);
    if (counts === null) continue;
    stat.files++;
    // The numbers of a binary file are dashes.
    stat.insertions += Number(counts[1]) || 0;
    stat.deletions += Number(counts[2]) || 0;
  }
  return stat;
}
