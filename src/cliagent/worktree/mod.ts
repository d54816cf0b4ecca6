/**
 * Checkouts for agents: creation, changes, commits, removal, and cleanup after a crash.
 *
 * @module
 */
export { type Changes, type DiffStat, maxPatchBytes } from "./changes.ts";
export type { Commit, CommitOptions } from "./commit.ts";
export type { AgentFiles } from "./files.ts";
export { type Git, type GitOptions, type GitResult, safeSettings } from "./git.ts";
export type { Worktree } from "./worktree.ts";
export { type KeepChanges, type WorktreePorts, Worktrees } from "./worktrees.ts";
