import { denoCommand, type ProgramOptions, requireRun, startError } from "./_start_error.ts";

/** What a program that has ended has said. */
export interface ProgramResult {
  /** Its exit code, 128 + n for signal n. */
  readonly status: number;
  /** All that it wrote on standard output; invalid UTF-8 is replaced. */
  readonly stdout: string;
  /** All that it wrote on standard error; invalid UTF-8 is replaced. */
  readonly stderr: string;
}

/**
 * Runs a helper that reads nothing, says little and ends soon: its whole output is kept in memory.
 * It runs in a session of its own, without a controlling terminal. Needs `--allow-run=PROGRAM`, and
 * never asks for it.
 *
 * @throws {ProgramMissingError} There is no such program.
 * @throws {PermissionError} `--allow-run` doesn't cover it.
 * @throws {FileError} The folder is missing or is none, the arguments are too long, or the system
 * refuses.
 */
export async function runProgram(options: ProgramOptions): Promise<ProgramResult> {
  requireRun(options.program);
  try {
    const { code, stdout, stderr } = await denoCommand(options, "piped").output();
    const decoder = new TextDecoder();
    return { status: code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
  } catch (error) {
    throw startError(options, error);
  }
}
