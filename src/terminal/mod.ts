/**
 * Runs commands of the system: with limits, killed with everything they started, confined by a
 * sandbox if there is one, and without the secrets of the environment.
 *
 * It is neither a shell nor a tool for a model: it does not decide which commands may run or how
 * their results are shown. Commands have no terminal, except those that a person runs at the
 * terminal of this process. Interactive programs need a session, which has a terminal of its own.
 *
 * @module
 */
export type { ApartOptions } from "./apart.ts";
export {
  attach,
  type AttachableSession,
  attachableSessions,
  type AttachEvent,
  type Attachment,
  AttachServer,
  type AttachServerOptions,
} from "./attach/attach.ts";
export {
  type CommandOptions,
  type CommandResult,
  defaultOutputLimits,
  type KillDesign,
  type OutputLimits,
  type TerminalOptions,
  type TerminalResult,
} from "./command.ts";
export { CommandStartError } from "./command_start_error.ts";
export { CommandSession, type CommandSessionOptions } from "./command_session.ts";
export { type EnvironmentOptions, looksSecret } from "./environment.ts";
export { hiddenPaths } from "./_hidden_paths.ts";
export { RUN_KEPT as visibleInRun } from "./_secret_paths.ts";
export type { SeenFolder } from "./_session_folders.ts";
export { findShell } from "./platform.ts";
export type { ProcessTree, TreeStatus } from "./process_tree.ts";
export { runCommand } from "./run_command.ts";
export {
  type Joined,
  type PtyEnd,
  PtySession,
  type SessionClock,
  SessionManager,
  type SessionManagerOptions,
  TerminalModes,
  type TerminalSize,
  type Viewer,
} from "./sessions/sessions.ts";
export { spawnTree, type SpawnTreeOptions } from "./spawn_tree.ts";
export type {
  ApartResult,
  CommandOutcome,
  CommandOutput,
  CommandSandbox,
  KeptOutput,
  RunCommand,
  SessionInput,
  SessionOutput,
  SessionRead,
  SessionStart,
  SessionState,
  SessionStopped,
  SessionUntil,
  SessionWritten,
  ShellFacts,
  Survivors,
  TerminalSession,
  Truncation,
} from "../ports/mod.ts";
export { type Duplex, PermissionError, ProgramMissingError } from "../sys/mod.ts";
export { chooseSandbox, type Sandbox, type SandboxMode, type SandboxOptions } from "./sandbox.ts";
