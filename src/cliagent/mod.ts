/**
 * CLI agents of other vendors (codex, qwen, gemini, claude, any command) as models: the registry of
 * models, prompts, drivers, queue, worktrees, conversations and records of runs, over ports.
 * {@linkcode Gateway} puts them together.
 *
 * It knows no HTTP and starts nothing itself: processes, git and files are ports that `cli/`
 * implements. Failures are {@linkcode AgentError}s with a kind, which `web/` maps to HTTP statuses.
 * It has no agent loop: that is the CLI's own (`agent/` has ours).
 *
 * @module
 */
export {
  type AgentCommand,
  type AgentUsage,
  type CliEvent,
  type CliOutcome,
  type CliSession,
  type Driver,
  type DriverRequest,
  drivers,
  noOutput,
  normaliseOutput,
  type OutputParser,
} from "./drivers/mod.ts";
export { AgentError, type AgentErrorKind, type AgentErrorOptions } from "./errors.ts";
export {
  type Access,
  type AgentCall,
  type CliAgentEvent,
  type CliAgentRun,
  Gateway,
  type GatewayPorts,
  type ModelStatus,
} from "./gateway/mod.ts";
export { hashKey, matchesKey } from "./keys.ts";
export { buildPrompt, type PromptOptions } from "./prompt/mod.ts";
export type { QueueCounts } from "./queue/mod.ts";
export type { RunRecord, RunState } from "./records/mod.ts";
export {
  type AgentSandbox,
  type DriverName,
  driverNames,
  type ModelEntry,
  type ModelRegistry,
  openRegistry,
  parseRegistry,
  type RegistryFile,
  type RegistryPlace,
} from "./registry/mod.ts";
export {
  type AgentLimits,
  basicVariables,
  defaultAgentLimits,
  type LookUpVariable,
  ProgramNotFoundError,
  runCliAgent,
  type RunEvent,
  type RunOutcome,
  type RunPorts,
  type RunRequest,
  type SpawnAgent,
  type SpawnedAgent,
  type SpawnRequest,
} from "./run/mod.ts";
export type { AgentFiles, DiffStat, Git, GitOptions, GitResult } from "./worktree/mod.ts";
export type { PrivateFiles, ProcessTable } from "../ports/mod.ts";
