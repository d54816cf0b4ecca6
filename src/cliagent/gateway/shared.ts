import type { CallQueue } from "../queue/mod.ts";
import type { RunLog } from "../records/mod.ts";
import type { Worktrees } from "../worktree/mod.ts";
import type { GatewayPorts } from "./types.ts";
import type { Workplaces } from "./workplaces.ts";

/** State shared by all calls of a gateway. */
export interface GatewayShared {
  readonly ports: GatewayPorts;
  readonly now: () => number;
  readonly log: RunLog;
  readonly worktrees: Worktrees;
  readonly workplaces: Workplaces;
  readonly queue: CallQueue;
}
