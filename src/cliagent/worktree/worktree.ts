/** Where an agent works: a checkout of its own. */
export interface Worktree {
  /** Names it, and the run or conversation that it is for. */
  readonly id: string;
  /** The model that works in it. */
  readonly model: string;
  /** The folder of the checkout. */
  readonly root: string;
  /** The folder in it that stands for the entry's `repoPath`. */
  readonly cwd: string;
  /** `repoPath` as seen from the root: empty, or a path that ends with a slash. */
  readonly prefix: string;
  /** The folder of the repository that it belongs to. */
  readonly repository: string;
  /** Its own folder within the repository's `.git`. */
  readonly gitDir: string;
  /** The repository's `.git`. */
  readonly commonDir: string;
  /** The commit that it began with. */
  readonly base: string;
  /** Files that were copied in (`.worktreeinclude`), relative to the root: no changes of the agent. */
  readonly included: readonly string[];
}
