/** The working folder of an agent: a checkout of its own. */
export interface Worktree {
  /** Its name: the id of the run or conversation. */
  readonly id: string;
  /** The model that works in it. */
  readonly model: string;
  /** The folder of the checkout. */
  readonly root: string;
  /** The folder in it that corresponds to the entry's `repoPath`. */
  readonly cwd: string;
  /** `repoPath` relative to the repository's root: empty, or a path that ends with a slash. */
  readonly prefix: string;
  /** The root folder of the repository. */
  readonly repository: string;
  /** Its own folder in the repository's `.git`. */
  readonly gitDir: string;
  /** The repository's `.git`. */
  readonly commonDir: string;
  /** The commit that it was created from. */
  readonly base: string;
  /**
   * Files that were copied in (`.worktreeinclude`), relative to the root: not changes of the agent.
   */
  readonly included: readonly string[];
}
