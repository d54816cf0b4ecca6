/**
 * Starts programs: with pipes or sockets, or only for their output. Gives facts about processes.
 *
 * @module
 */
export { type PipedProcess, startPiped } from "./piped_process.ts";
export {
  type Duplex,
  type HostProcess,
  mayRun,
  type ProcessOptions,
  ProgramMissingError,
  type ProgramOptions,
  startProcess,
} from "./process.ts";
export { type ScratchFolder, scratchFolder } from "./process_folder.ts";
export { currentFolder, denoProgram, type ProcessHost, processHost } from "./process_host.ts";
export { pythonProgram } from "./python_program.ts";
export { type ProgramResult, runProgram } from "./run_program.ts";
export { processTable } from "./process_table.ts";
