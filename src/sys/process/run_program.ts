import { denoCommand, type ProgramOptions, requireRun, startError } from "./_start_error.ts";

/** Exit code and output of a program. */
export interface ProgramResult {
  /** Its exit code, 128 + n for signal n. */
  readonly status: number;
  /** Its whole standard output; invalid UTF-8 is replaced. */
  readonly stdout: string;
  /** Its whole standard error; invalid UTF-8 is replaced. */
  readonly stderr: string;
}

/**
 * Runs a helper with an empty input and keeps its whole output in memory, so the helper should
 * write little and end soon. It has a session of its own without a controlling terminal. Needs
 * `--allow-run=PROGRAM`; there is no prompt for it.
 *
 * @throws {ProgramMissingError} There is no such program.
 * @throws {PermissionError} `--allow-run` doesn't cover it.
 * @throws {FileError} The folder is missing or not a folder, the arguments are too long, or the
 * system refuses.
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
