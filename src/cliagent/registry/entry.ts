/** Names of the drivers in a registry. */
export const driverNames = ["codex", "qwen", "gemini", "claude", "generic"] as const;

/** The name of a driver. `generic` runs any command that reads its prompt from standard input. */
export type DriverName = typeof driverNames[number];

/** Sandbox of the CLI: none from the gateway, or bubblewrap. */
export type AgentSandbox = "none" | "bwrap";

/** A model of the gateway: a CLI and the repository it works in. Defaults are filled in. */
export interface ModelEntry {
  /** The model's name in requests. */
  readonly name: string;
  /** The kind of CLI. */
  readonly driver: DriverName;
  /** The absolute path of the repository's folder. */
  readonly repoPath: string;
  /**
   * The file whose text begins each prompt, relative to `repoPath` and inside it; `null` for none.
   * Default `AGENTS.md`.
   */
  readonly agentFile: string | null;
  /** True if each call runs in a git worktree of its own. Default `false`. */
  readonly worktree: boolean;
  /** A command and its arguments, run in each new worktree before the CLI. */
  readonly setup: readonly string[] | undefined;
  /** The CLI's program, a name or a path; by default the driver's. `generic` requires it. */
  readonly command: string | undefined;
  /** Additional arguments; an option that the driver sets, too, overrides the driver's. */
  readonly args: readonly string[];
  /** Names of variables that the CLI gets in addition to the basic ones. */
  readonly env: readonly string[];
  /** The CLI's model; the CLI's own default if absent. */
  readonly model: string | undefined;
  /** Seconds that the CLI may run, and that a call may wait for its place. Default 300. */
  readonly timeout: number;
  /** Most calls that run at the same time. Default 4 with `worktree`; always 1 without. */
  readonly maxConcurrent: number;
  /** Most calls that wait for a place. Default 64. */
  readonly maxQueue: number;
  /** True to commit the CLI's changes on the branch `llmcmd/<id>`. Default `false`. */
  readonly commit: boolean;
  /**
   * Patterns of new files that may be committed, such as `tools/**`, relative to `repoPath`. If
   * absent, all may.
   */
  readonly mayCreate: readonly string[] | undefined;
  /** The sandbox of the CLI. Default `none`. */
  readonly sandbox: AgentSandbox;
  /** Hashes of the keys that may use this model. If absent, any key of the gateway may. */
  readonly apiKeys: readonly string[] | undefined;
}
