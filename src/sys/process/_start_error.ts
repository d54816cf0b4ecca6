import { messageOf } from "../../base/mod.ts";
import { FileError, PermissionError, permissionError, reasonOf } from "../errors.ts";

/** A program to start. */
export interface ProgramOptions {
  /** Its name, to look up on the PATH, or its path. */
  readonly program: string;
  /** Its arguments, without the program itself. */
  readonly args: readonly string[];
  /** The folder to start it in; the current one if absent. */
  readonly cwd?: string | undefined;
  /** The whole environment: nothing of this process's environment is added. */
  readonly env: Readonly<Record<string, string>>;
}

/** The program is not installed, or not on the PATH. */
export class ProgramMissingError extends Error {
  /** The error's name. */
  override readonly name = "ProgramMissingError";
  /** The program that was looked for. */
  readonly program: string;

  /** Makes the error. */
  constructor(program: string, cause?: unknown) {
    const why = program.includes("/")
      ? "there is no such file, or it is not executable"
      : "it is not installed or not on the PATH";
    super(`Cannot start ${program}: ${why}`, { cause });
    this.program = program;
  }
}

/** True if this process may start a program without a permission prompt. */
export function mayRun(program: string): boolean {
  return Deno.permissions.querySync({ name: "run", command: program }).state === "granted";
}

/** Throws unless this process may start a program. */
export function requireRun(program: string): void {
  if (!mayRun(program)) throw new PermissionError(`start ${program}`, `--allow-run=${program}`);
}

/** Makes the `Deno.Command` of a program, without this process's environment and terminal. */
export function denoCommand(
  { program, args, cwd, env }: ProgramOptions,
  stdio: "piped" | "null",
  stdin: "piped" | "null" = "null",
): Deno.Command {
  return new Deno.Command(program, {
    args: [...args],
    ...(cwd === undefined ? {} : { cwd }),
    clearEnv: true,
    env: { ...env },
    stdin,
    stdout: stdio,
    stderr: stdio,
    detached: true,
  });
}

/** The error for a program that did not start, from the one that Deno threw. */
export function startError({ program, cwd }: ProgramOptions, error: unknown): Error {
  const action = `start ${program}`;
  if (error instanceof Deno.errors.NotCapable) return permissionError(action, error);
  const message = messageOf(error);
  if (cwd !== undefined && message.includes("No such cwd")) {
    return new FileError(action, cwd, `there is no folder ${cwd}`, error);
  }
  if (cwd !== undefined && message.includes("cwd is not a directory")) {
    return new FileError(action, cwd, `${cwd} is not a folder`, error);
  }
  if (message.includes("os error 7")) {
    return new FileError(
      action,
      program,
      "its arguments and environment are longer than the system allows",
      error,
    );
  }
  if (error instanceof Deno.errors.NotFound) return new ProgramMissingError(program, error);
  return new FileError(action, program, reasonOf(error), error);
}
