import type { RunCommand } from "../ports/mod.ts";

/** Options of one command whose two outputs are kept separately. */
export interface ApartOptions extends Omit<RunCommand, "workingDirectory" | "env"> {
  /** The folder to run it in, absolute or relative to the session's; the session's if absent. */
  readonly workingDirectory?: string | undefined;
  /** Folders that it may write to besides those of the session, absolute; for a sandbox. */
  readonly writable?: readonly string[] | undefined;
  /** Absolute path of the shell; by default `bash`, or `sh` if there is no bash. */
  readonly shell?: string | undefined;
  /** As in {@linkcode RunCommand}; no changes if absent. Names are those of shell variables. */
  readonly env?: RunCommand["env"] | undefined;
}
