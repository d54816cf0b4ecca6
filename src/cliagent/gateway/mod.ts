/**
 * The gateway: turns calls into runs of CLIs, in the repository or in a worktree of their own.
 *
 * @module
 */
export type { Access } from "./access.ts";
export { Gateway, type ModelStatus } from "./gateway.ts";
export type { AgentCall, CliAgentEvent, CliAgentRun, GatewayPorts } from "./types.ts";
