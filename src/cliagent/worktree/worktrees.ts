import { isRecord, KeyedLock, messageOf } from "../../base/mod.ts";
import type { ProcessTable } from "../../ports/mod.ts";
import { AgentError } from "../errors.ts";
import { joinPath } from "../paths.ts";
import type { ModelEntry } from "../registry/mod.ts";
import { type Changes, readChanges } from "./changes.ts";
import { type Commit, commitChanges, type CommitOptions } from "./commit.ts";
import type { AgentFiles } from "./files.ts";
import type { Worktree } from "./worktree.ts";
import { type Git, namesOf, runGit, stdoutText, tryGit } from "./git.ts";

/** Ports of {@linkcode Worktrees}. */
export interface WorktreePorts {
  /** Runs git. */
  readonly git: Git;
  /** Files. */
  readonly files: AgentFiles;
  /** Processes. */
  readonly processes: ProcessTable;
  /** The gateway's own folder, an absolute path. */
  readonly stateFolder: string;
  /** Takes warnings about problems that no caller is informed of. */
  readonly warn: (message: string) => void;
}

/** Stores the changes of a worktree before its removal. A rejection keeps the worktree. */
export type KeepChanges = (worktree: Worktree, changes: Changes) => Promise<void>;

/**
 * Checkouts for agents, in a private folder. Each has a lock file that names the process using it,
 * so that the next start can clean up after a dead process.
 *
 * Uncommitted work in the repository's own checkout is neither read nor changed.
 */
export class Worktrees {
  readonly #ports: WorktreePorts;
  readonly #folder: string;
  /**
   * Allows one git at a time to add, remove or prune worktrees of a repository: git reads the
   * entries of all worktrees, and fails on one that another git is creating.
   */
  readonly #changing = new KeyedLock();

  /** Uses `worktrees/` in the state folder. */
  constructor(ports: WorktreePorts) {
    this.#ports = ports;
    this.#folder = joinPath(ports.stateFolder, "worktrees");
  }

  /**
   * Creates a checkout of the repository's HEAD, and copies the files that `.worktreeinclude`
   * lists, in the syntax of `.gitignore`.
   *
   * @throws {AgentError} `repository` if the folder is not in a repository, or the repository has
   * no commit.
   */
  async add(id: string, entry: ModelEntry): Promise<Worktree> {
    if (!/^[\w-]+$/.test(id)) throw new RangeError(`Cannot name a worktree ${id}`);
    const { git, files, processes } = this.#ports;
    const facts = await this.#facts(entry.repoPath);
    await files.makeFolder(this.#folder);
    const root = joinPath(this.#folder, id);
    let worktree: Worktree = {
      ...facts,
      id,
      model: entry.name,
      root,
      cwd: joinPath(root, facts.prefix),
      gitDir: joinPath(facts.commonDir, `worktrees/${id}`),
      included: [],
    };
    const lock = async (): Promise<void> => {
      const started = await processes.startTime(processes.self);
      await files.write(this.#lock(id), JSON.stringify({ pid: processes.self, started, worktree }));
    };
    // The lock comes first: the sweep finds checkouts by their locks.
    await lock();
    try {
      await this.#changing.run(facts.commonDir, () =>
        runGit(
          git,
          ["worktree", "add", "--detach", "--lock", "--reason", "llmcmd", root, facts.base],
          facts.repository,
        ));
      const included = await this.#include(worktree);
      if (included.length > 0) {
        worktree = { ...worktree, included };
        await lock();
      }
    } catch (error) {
      await this.remove(worktree);
      throw error;
    }
    return worktree;
  }

  /** Reads the agent's changes since the base commit: see {@linkcode readChanges}. */
  async changes(worktree: Worktree): Promise<Changes> {
    return await readChanges(this.#ports, worktree, this.#index(worktree.id));
  }

  /** Commits the agent's changes on a branch: see {@linkcode commitChanges}. */
  async commit(worktree: Worktree, options: CommitOptions): Promise<Commit> {
    return await commitChanges(this.#ports, worktree, this.#index(worktree.id), options);
  }

  /**
   * Removes a checkout, its entry in the repository and its lock. The caller has stored the
   * changes. If something cannot be removed, warns and leaves it to the sweep at the next start.
   */
  async remove(worktree: Worktree): Promise<void> {
    const { git, files, warn } = this.#ports;
    const { id, root, repository, commonDir } = worktree;
    try {
      await this.#changing.run(commonDir, async () => {
        // Two `-f`: the worktree is locked.
        const removed = await tryGit(git, ["worktree", "remove", "-f", "-f", root], repository)
          .catch((error: unknown) => ({ status: 1, stderr: messageOf(error) }));
        if (removed.status === 0) return;
        await files.remove(root);
        await tryGit(git, ["worktree", "unlock", root], repository).catch(() => {});
        await tryGit(git, ["worktree", "prune"], repository).catch(() => {});
      });
      await files.remove(this.#index(id));
      await files.remove(this.#lock(id));
    } catch (error) {
      warn(`Cannot remove the worktree ${root}: ${messageOf(error)}`);
    }
  }

  /**
   * Removes the worktrees of dead processes, after `keep` has stored their changes. Called at the
   * start. Returns their ids.
   */
  async sweep(keep: KeepChanges): Promise<string[]> {
    const { files, git, warn } = this.#ports;
    const swept: string[] = [];
    for (const name of await files.list(this.#folder)) {
      const id = /^([\w-]+)\.lock$/.exec(name)?.[1];
      if (id === undefined) continue;
      try {
        const worktree = await this.#deadWorktree(id);
        if (worktree === undefined) continue;
        await keep(worktree, await this.changes(worktree));
        await this.remove(worktree);
        await this.#changing.run(
          worktree.commonDir,
          () => tryGit(git, ["worktree", "prune"], worktree.repository),
        );
        swept.push(id);
      } catch (error) {
        warn(`Cannot sweep the worktree ${joinPath(this.#folder, id)}: ${messageOf(error)}`);
      }
    }
    return swept;
  }

  /** Returns the worktree of a lock if its process has ended. */
  async #deadWorktree(id: string): Promise<Worktree | undefined> {
    const { files, processes } = this.#ports;
    const lock: unknown = JSON.parse(await files.readText(this.#lock(id)) ?? "null");
    if (!isRecord(lock) || typeof lock["pid"] !== "number" || !isWorktree(lock["worktree"])) {
      throw new AgentError("repository", `${this.#lock(id)} is not a valid lock file`);
    }
    const started = await processes.startTime(lock["pid"]);
    const alive = started !== undefined && started === lock["started"];
    return alive ? undefined : lock["worktree"];
  }

  /** Finds the repository of a folder and its current commit. */
  async #facts(
    repoPath: string,
  ): Promise<Pick<Worktree, "repository" | "commonDir" | "prefix" | "base">> {
    const result = await tryGit(
      this.#ports.git,
      [
        "rev-parse",
        "--path-format=absolute",
        "--show-toplevel",
        "--git-common-dir",
        "--show-prefix",
        "--verify",
        "HEAD^{commit}",
      ],
      repoPath,
    ).catch((error: unknown) => {
      throw new AgentError("repository", `Cannot run git in ${repoPath}: ${messageOf(error)}`, {
        cause: error,
      });
    });
    const [repository, commonDir, prefix, base] = stdoutText(result).split("\n");
    if (result.status !== 0 || repository === undefined || commonDir === undefined || !base) {
      throw new AgentError(
        "repository",
        `Cannot make a worktree of ${repoPath}: expected a git repository with a commit`,
        { detail: result.stderr.trim() || undefined },
      );
    }
    return { repository, commonDir, prefix: prefix ?? "", base };
  }

  async #include({ repository, root }: Worktree): Promise<string[]> {
    const { git, files } = this.#ports;
    const list = joinPath(repository, ".worktreeinclude");
    if (await files.readText(list) === undefined) return [];
    const names = namesOf(
      await runGit(
        git,
        ["ls-files", "-z", "--others", "--ignored", `--exclude-from=${list}`],
        repository,
      ),
    );
    for (const name of names) await files.copy(joinPath(repository, name), joinPath(root, name));
    return names;
  }

  #lock(id: string): string {
    return joinPath(this.#folder, `${id}.lock`);
  }

  #index(id: string): string {
    return joinPath(this.#folder, `${id}.index`);
  }
}

function isWorktree(value: unknown): value is Worktree {
  if (!isRecord(value) || !Array.isArray(value["included"])) return false;
  return ["id", "model", "root", "cwd", "prefix", "repository", "gitDir", "commonDir", "base"]
    .every((name) => typeof value[name] === "string");
}
