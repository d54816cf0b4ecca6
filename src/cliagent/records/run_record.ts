import { isRecord } from "../../base/mod.ts";
import type { AgentUsage } from "../drivers/mod.ts";
import type { AgentErrorKind } from "../errors.ts";
import type { DiffStat } from "../worktree/mod.ts";

/** State of a run: waiting for its place, running, or over in one of three ways. */
export type RunState = "queued" | "running" | "done" | "failed" | "cancelled";

/** The record of a run, as plain JSON. Times are milliseconds since the epoch. */
export interface RunRecord {
  /** The run's id, also the name of its worktree and branch. */
  readonly id: string;
  /** The model. */
  readonly model: string;
  /** The run's state. */
  readonly state: RunState;
  /** Time at which the call arrived. */
  readonly queued: number;
  /** Time at which it got its place. */
  readonly started?: number | undefined;
  /** Time at which it ended. */
  readonly ended?: number | undefined;
  /** The client's name for the conversation. */
  readonly conversation?: string | undefined;
  /** The CLI's exit status, 128 + n for signal n. */
  readonly exitCode?: number | undefined;
  /** Tokens. */
  readonly usage?: AgentUsage | undefined;
  /** The error, if it failed. */
  readonly error?: {
    readonly kind: AgentErrorKind;
    readonly message: string;
    readonly detail?: string | undefined;
  } | undefined;
  /** Size of the changes in the worktree. */
  readonly stat?: DiffStat | undefined;
  /** The branch with the committed changes. */
  readonly branch?: string | undefined;
  /** New files that `mayCreate` kept out of the branch. */
  readonly refused?: readonly string[] | undefined;
  /** True if a patch is stored. */
  readonly patch?: boolean | undefined;
  /** A remark, such as that the patch was too large. */
  readonly note?: string | undefined;
}

/** True if a value read from a file is a record. */
export function isRunRecord(value: unknown): value is RunRecord {
  return isRecord(value) && typeof value["id"] === "string" &&
    typeof value["model"] === "string" && typeof value["state"] === "string" &&
    typeof value["queued"] === "number";
}
