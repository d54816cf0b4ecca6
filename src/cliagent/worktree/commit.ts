import { clip, printable } from "../../base/mod.ts";
import { gitIn, type LookPorts, stageAll } from "./changes.ts";
import { matchesGlob } from "./glob.ts";
import { type GitOptions, namesInput, namesOf, stdoutText, tryGit } from "./git.ts";
import type { Worktree } from "./worktree.ts";

/** Properties of a commit. */
export interface CommitOptions {
  /** The run's id, from which the branch gets its name. */
  readonly id: string;
  /** The model's name. */
  readonly model: string;
  /** The task, whose first line goes into the commit and the log. */
  readonly task: string;
  /** The time for the line in the log. */
  readonly time: Date;
  /** Patterns of new files that may be committed. If absent, all may. */
  readonly mayCreate?: readonly string[] | undefined;
}

/** The result of a commit. */
export interface Commit {
  /** The branch; `undefined` if nothing was changed. */
  readonly branch: string | undefined;
  /** New files that `mayCreate` does not allow, relative to the root of the worktree. */
  readonly refused: readonly string[];
}

/** The file with a line for each commit of an agent's changes. */
const LOG = "AGENT_LOG.md";

const IDENTITY = {
  GIT_AUTHOR_NAME: "llmcmd",
  GIT_AUTHOR_EMAIL: "llmcmd@localhost",
  GIT_COMMITTER_NAME: "llmcmd",
  GIT_COMMITTER_EMAIL: "llmcmd@localhost",
};

/**
 * Commits an agent's changes on top of its own commits, with a line in `AGENT_LOG.md`, and creates
 * the branch `llmcmd/<id>` there.
 *
 * It writes git objects and a reference, but no files: the agent's checkout stays as it is, and a
 * link in the place of the log is not followed.
 */
export async function commitChanges(
  ports: LookPorts,
  worktree: Worktree,
  index: string,
  options: CommitOptions,
): Promise<Commit> {
  const run = (args: readonly string[], more?: GitOptions) =>
    gitIn(ports, worktree, index, args, more);
  await stageAll(ports, worktree, index);
  const diff = ["diff", "--cached", "--name-only", "-z", "--no-renames", "--no-ext-diff"];
  const added = namesOf(await run([...diff, "--diff-filter=A", worktree.base]));
  const refused = added.filter((name) => name !== LOG && !isAllowed(name, worktree, options));
  if (refused.length > 0) {
    await run(["update-index", "--force-remove", "-z", "--stdin"], { stdin: namesInput(refused) });
  }
  const parent = await agentHead(ports, worktree);
  const changed = namesOf(await run([...diff, worktree.base]));
  if (changed.length === 0 && parent === worktree.base) return { branch: undefined, refused };

  const branch = `llmcmd/${options.id}`;
  const task = firstLine(options.task);
  const old = await tryGit(
    ports.git,
    ["cat-file", "blob", `${parent}:${LOG}`],
    worktree.repository,
  );
  const before = old.status === 0
    ? stdoutText(old).replace(/(?<!\n)$/, "\n")
    : "# Work of agents\n\n";
  const line = `- ${options.time.toISOString()} \`${branch}\` ${options.model}: ${task}\n`;
  const blob = stdoutText(
    await run(["hash-object", "-w", "--stdin"], { stdin: new TextEncoder().encode(before + line) }),
  ).trim();
  await run(["update-index", "--add", "--cacheinfo", `100644,${blob},${LOG}`]);
  const tree = stdoutText(await run(["write-tree"])).trim();
  const commit = stdoutText(
    await run(["commit-tree", tree, "-p", parent], {
      stdin: new TextEncoder().encode(`${options.model}: ${task}\n\nRun ${options.id}\n`),
      env: IDENTITY,
    }),
  ).trim();
  // The empty old value makes git fail if a branch of that name exists.
  await run(["update-ref", `refs/heads/${branch}`, commit, ""]);
  return { branch, refused };
}

/** The last commit of the agent; the base commit if its HEAD is invalid. */
async function agentHead(ports: LookPorts, worktree: Worktree): Promise<string> {
  const { git } = ports;
  const result = await tryGit(git, ["rev-parse", "--verify", "HEAD^{commit}"], worktree.root, {
    env: { GIT_DIR: worktree.gitDir, GIT_WORK_TREE: worktree.root },
  });
  return result.status === 0 ? stdoutText(result).trim() : worktree.base;
}

/** Patterns are relative to the entry's folder; no new file is allowed outside it. */
function isAllowed(name: string, { prefix }: Worktree, { mayCreate }: CommitOptions): boolean {
  if (mayCreate === undefined) return true;
  if (!name.startsWith(prefix)) return false;
  return mayCreate.some((pattern) => matchesGlob(name.slice(prefix.length), pattern));
}

/** The first line that is not blank, cut to the length of a commit's subject. */
function firstLine(text: string): string {
  const line = text.split("\n").map((part) => part.trim()).find((part) => part !== "") ?? "";
  return line.length > 60 ? `${clip(printable(line), 57)}...` : printable(line);
}
