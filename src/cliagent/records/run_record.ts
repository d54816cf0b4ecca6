import { isRecord } from "../../base/mod.ts";
import type { AgentUsage } from "../drivers/mod.ts";
import type { AgentErrorKind } from "../errors.ts";
import type { DiffStat } from "../worktree/mod.ts";

/** Where a run is: waiting for its place, running, or over in one of three ways. */
export type RunState = "queued" | "running" | "done" | "failed" | "cancelled";

/** What is known of a run; plain JSON. Times are milliseconds since the epoch. */
export interface RunRecord {
  /** Its id, which also names its worktree and branch. */
  readonly id: string;
  /** The model. */
  readonly model: string;
  /** Where it is. */
  readonly state: RunState;
  /** When the call came. */
  readonly queued: number;
  /** When it got its place. */
  readonly started?: number | undefined;
  /** When it was over. */
  readonly ended?: number | undefined;
  /** The client's name of the conversation. */
  readonly conversation?: string | undefined;
  /** The CLI's exit status, 128 + n for signal n. */
  readonly exitCode?: number | undefined;
  /** Tokens. */
  readonly usage?: AgentUsage | undefined;
  /** What went wrong. */
  readonly error?: {
    readonly kind: AgentErrorKind;
    readonly message: string;
    readonly detail?: string | undefined;
  } | undefined;
  /** What was changed in the worktree. */
  readonly stat?: DiffStat | undefined;
  /** The branch with what was committed. */
  readonly branch?: string | undefined;
  /** New files that `mayCreate` kept out of the branch. */
  readonly refused?: readonly string[] | undefined;
  /** Whether a patch is kept. */
  readonly patch?: boolean | undefined;
  /** What else is to be known, such as that the patch was too large. */
  readonly note?: string | undefined;
}

/** Whether a value that was read from a file is a record. */
export function isRunRecord(value: unknown): value is RunRecord {
  return isRecord(value) && typeof value["id"] === "string" &&
    typeof value["model"] === "string" && typeof value["state"] === "string" &&
    typeof value["queued"] === "number";
}
