/**
 * The host system: files, standard input and output, environment, signals, terminals, permissions,
 * a server. Only this room uses `Deno.` or `node:`, so rooms that do not import it run wherever
 * there are web standards.
 *
 * It makes no decisions: it does not know the options, exit codes or limits of the programs above
 * it, and prints nothing.
 *
 * @module
 */
export { type AppendFile, appendFile, changedAt } from "./append_file.ts";
export { createFile } from "./create_file.ts";
export { openDatabase } from "./database.ts";
export { type EnvValue, envValue, readEnv } from "./env.ts";
export { FileError, fileError, isBrokenPipe, missingFlag, PermissionError } from "./errors.ts";
export { FileSink, type Writable } from "./file_sink.ts";
export { type InputFile, openInputFile } from "./file_source.ts";
export { hostFs } from "./host_fs.ts";
export {
  connectLocal,
  listenLocal,
  type LocalConnection,
  type LocalSocket,
  localSockets,
  privateFolder,
} from "./local_socket.ts";
export { openOutputFile } from "./open_output_file.ts";
export {
  currentFolder,
  denoProgram,
  type Duplex,
  type HostProcess,
  mayRun,
  type PipedProcess,
  type ProcessHost,
  processHost,
  type ProcessOptions,
  processTable,
  ProgramMissingError,
  type ProgramOptions,
  type ProgramResult,
  pythonProgram,
  runProgram,
  type ScratchFolder,
  scratchFolder,
  startPiped,
  startProcess,
} from "./process/mod.ts";
export { type OutputFile } from "./output_file.ts";
export { isSameFile, isStandardOutput } from "./same_file.ts";
export { type PathKind, pathKind } from "./path_kind.ts";
export { mayUse, requireNet, requirePrograms } from "./permissions.ts";
export { isLocked, type ProgramLock, programLock } from "./program_lock.ts";
export { openRawTerminal, type RawTerminal, type TerminalListener } from "./raw_terminal.ts";
export { ListenError, serve, type ServeOptions, type Server } from "./serve.ts";
export { type EndSignal, listenForEnd, raise, type SignalListener } from "./signals.ts";
export { privateFiles } from "./private_files.ts";
export { stderrSink, stdoutSink } from "./stdio.ts";
export { stdinSource } from "./stdin.ts";
export { tempFolder } from "./temp_store.ts";
export type { TempStore } from "../streams/mod.ts";
export { unnamedFile } from "./unnamed_file.ts";
export { columns, noColor, terminals } from "./terminal.ts";
export type {
  HeldFolder,
  HostFile,
  HostFs,
  HostOutput,
  PrivateFiles,
  ProcessTable,
  SqlDatabase,
  SqlStatement,
  SqlValue,
  VfsEntry,
  VfsInfo,
  VfsKind,
  VfsMode,
} from "../ports/mod.ts";
export { isMissing, listFolder, readTextFile } from "./text_file.ts";
