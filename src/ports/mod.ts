/**
 * Types that two rooms share because one implements them and the other may not import it: the
 * host's files, processes, databases, shell and sandbox, commands and terminal sessions.
 *
 * Types only: import it with `import type`. A port that is deliberately narrower than its provider
 * stays with its user, and a type that only one room describes stays in that room.
 *
 * @module
 */
export type {
  ApartResult,
  CommandOutcome,
  CommandOutput,
  CommandPort,
  CommandSandbox,
  KeptOutput,
  RunCommand,
  Survivors,
  Truncation,
} from "./commands.ts";
export type { SqlDatabase, SqlStatement, SqlValue } from "./database.ts";
export type {
  HeldFolder,
  HostFile,
  HostFs,
  HostOutput,
  VfsEntry,
  VfsInfo,
  VfsKind,
  VfsMode,
} from "./host_files.ts";
export type { ShellFacts } from "./platform.ts";
export type { PrivateFiles } from "./private_files.ts";
export type { ProcessTable } from "./process_table.ts";
export type {
  SessionInput,
  SessionOutput,
  SessionPort,
  SessionRead,
  SessionStart,
  SessionState,
  SessionStopped,
  SessionUntil,
  SessionWritten,
  TerminalSession,
} from "./sessions.ts";
