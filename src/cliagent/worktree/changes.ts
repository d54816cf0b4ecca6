import type { Chunk } from "../../streams/mod.ts";
import type { AgentFiles } from "./files.ts";
import { type Git, type GitOptions, namesInput, namesOf, runGit, stdoutText } from "./git.ts";
import type { Worktree } from "./worktree.ts";

/** Largest patch that is kept, in bytes: 10 MiB. */
export const maxPatchBytes: number = 10 * 1024 ** 2;

/** How much was changed. */
export interface DiffStat {
  /** Files changed. */
  readonly files: number;
  /** Lines added, in files that are text. */
  readonly insertions: number;
  /** Lines removed, in files that are text. */
  readonly deletions: number;
}

/** What an agent changed since the base commit, its own commits included. */
export interface Changes {
  /** How much. */
  readonly stat: DiffStat;
  /** The patch, for `git apply`; empty where nothing was changed. */
  readonly patch: Chunk;
  /** Why the patch is not all, such as that it was larger than {@linkcode maxPatchBytes}. */
  readonly note: string | undefined;
}

/** What is needed to look into a worktree. */
export interface LookPorts {
  /** Runs git. */
  readonly git: Git;
  /** Files. */
  readonly files: AgentFiles;
}

/**
 * Runs git in a worktree with an index of ours, so that the agent's index stays as it is and a lock
 * that a killed git has left does not matter. The repository is named, not looked for: an agent may
 * have removed `.git`, and git would find a repository around the state folder.
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
 * Puts all files of a worktree as they are into the index at `index`: changed, removed and new ones,
 * but not those that are ignored or were copied in, nor repositories within it, which it names.
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
  // The agent's index knows the files' times, without which all of them would be read.
  if (await ports.files.realPath(own) === undefined) await run(["read-tree", worktree.base]);
  else await ports.files.copy(own, index);
  await run(["add", "--update", "--", "."]);
  const included = new Set(worktree.included);
  const others = namesOf(await run(["ls-files", "-z", "--others", "--exclude-standard"]))
    .filter((name) => !included.has(name));
  // A repository that the agent has made is named with a slash; it would be added as a submodule.
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

/** Reads what the agent changed since the base commit: tracked, untracked and binary files. */
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
    : `Repositories within the worktree are no part of the patch: ${nested.join(" ")}`;
  const diff = (options: readonly string[]) =>
    gitIn(ports, worktree, index, [...DIFF, ...options, worktree.base], { limit: maxPatchBytes });
  const stat = statOf(stdoutText(await diff(["--numstat", "-z", "--no-renames"])));
  if (stat.files === 0) return { stat, patch: new Uint8Array(0), note: left };
  const whole = await diff(["--binary", "--full-index"]);
  if (!whole.cut) return { stat, patch: whole.stdout, note: left };
  const text = await diff(["--full-index"]);
  if (!text.cut) {
    const note =
      `The patch with its binary files is larger than ${maxPatchBytes} bytes: they are ` +
      "left out";
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
    // Binary files have a dash for a number.
    stat.insertions += Number(counts[1]) || 0;
    stat.deletions += Number(counts[2]) || 0;
  }
  return stat;
}
