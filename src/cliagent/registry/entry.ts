/** The drivers, by the name that an entry gives. */
export const driverNames = ["codex", "qwen", "gemini", "claude", "generic"] as const;

/** The name of a driver. `generic` runs any command that reads its prompt from standard input. */
export type DriverName = typeof driverNames[number];

/** What confines the CLI: nothing of ours, or bubblewrap. */
export type AgentSandbox = "none" | "bwrap";

/** A model of the gateway: which CLI answers for it, and where. Defaults are filled in. */
export interface ModelEntry {
  /** The model's name in requests. */
  readonly name: string;
  /** Which CLI it is. */
  readonly driver: DriverName;
  /** The absolute path of the repository's folder. */
  readonly repoPath: string;
  /**
   * The file whose text stands at the beginning of each prompt, relative to `repoPath`, inside which
   * it must be; `null`: none. Default `AGENTS.md`.
   */
  readonly agentFile: string | null;
  /** Whether each call runs in a git worktree of its own. Default `false`. */
  readonly worktree: boolean;
  /** A command and its arguments, run in a new worktree before the CLI. */
  readonly setup: readonly string[] | undefined;
  /** The CLI's program, a name or a path; by default the driver's. `generic` needs one. */
  readonly command: string | undefined;
  /** Arguments besides the driver's; one that sets an option of the driver's replaces it. */
  readonly args: readonly string[];
  /** Names of variables that the CLI gets besides the basic ones. */
  readonly env: readonly string[];
  /** The CLI's model; its own choice if absent. */
  readonly model: string | undefined;
  /** Seconds that the CLI may take, and that a call may wait for its repository. Default 300. */
  readonly timeout: number;
  /** Calls that run at the same time. Default 4 with `worktree`; always 1 without. */
  readonly maxConcurrent: number;
  /** Calls that may wait for a place. Default 64. */
  readonly maxQueue: number;
  /** Whether what the CLI changed is committed, on the branch `llmcmd/<id>`. Default `false`. */
  readonly commit: boolean;
  /**
   * Patterns of new files that may be committed, such as `tools/**`, relative to `repoPath`; all may
   * if absent.
   */
  readonly mayCreate: readonly string[] | undefined;
  /** What confines the CLI. Default `none`. */
  readonly sandbox: AgentSandbox;
  /** Hashes of the keys that may use this model; any key of the gateway if absent. */
  readonly apiKeys: readonly string[] | undefined;
}
