import type { RunCommand } from "../ports/mod.ts";

/** Options of one command whose two outputs are kept apart. */
export interface ApartOptions extends Omit<RunCommand, "workingDirectory" | "env"> {
  /** The folder to run it in, absolute or relative to the session's; the session's if absent. */
  readonly workingDirectory?: string | undefined;
  /** Folders that it may write to besides those of the session, absolute; for a sandbox. */
  readonly writable?: readonly string[] | undefined;
  /** The shell, absolute; `bash`, or `sh` where there is none, if absent. */
  readonly shell?: string | undefined;
  /** As in {@linkcode RunCommand}; no changes if absent. Names are those of shell variables. */
  readonly env?: RunCommand["env"] | undefined;
}
