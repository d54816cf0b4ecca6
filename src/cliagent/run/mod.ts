/**
 * One run of a CLI: starts it through a port, reads its events, and kills it with all its
 * descendants.
 *
 * @module
 */
export { basicVariables, type LookUpVariable } from "./environment.ts";
export { type AgentLimits, defaultAgentLimits } from "./limits.ts";
export {
  runCliAgent,
  type RunEvent,
  type RunOutcome,
  type RunPorts,
  type RunRequest,
} from "./run_cli_agent.ts";
export {
  ProgramNotFoundError,
  type SpawnAgent,
  type SpawnedAgent,
  type SpawnRequest,
} from "./spawn.ts";
