import type { CommandSandbox } from "../ports/mod.ts";
import { PermissionError, processHost, ProgramMissingError, runProgram } from "../sys/mod.ts";
import { bwrapArguments } from "./_bwrap.ts";
import { hiddenPaths } from "./_hidden_paths.ts";
import type { Apart } from "./_apart.ts";
import { CommandStartError } from "./command_start_error.ts";
import { commandEnvironment } from "./environment.ts";

/**
 * The sandbox to use: `auto` is bubblewrap if it works and otherwise none, `bwrap` requires it,
 * `none` uses none.
 */
export type SandboxMode = "auto" | "bwrap" | "none";

/** Permissions of commands in a sandbox. */
export interface SandboxOptions {
  /** Folders that commands may write to besides the working folder and /tmp; absolute paths. */
  readonly writable?: readonly string[] | undefined;
  /** Paths to hide besides the well-known secrets below the home folder; absolute paths. */
  readonly hidden?: readonly string[] | undefined;
  /** The home folder whose secrets are hidden, absolute; the one that `HOME` names if absent. */
  readonly home?: string | undefined;
  /** False to deny the network to commands; true if absent. */
  readonly network?: boolean | undefined;
  /**
   * If given, commands see only the system's files, an empty /tmp, and these paths, read-only;
   * absolute paths. They run in /, and can write to nothing but /tmp.
   */
  readonly visible?: readonly string[] | undefined;
}

/** A chosen sandbox. */
export type Sandbox =
  | {
    readonly kind: "bwrap";
    readonly network: boolean;
    readonly writable: readonly string[];
    /**
     * Absolute paths that are hidden if they exist. They are looked up before each command, so that
     * a key that is created later is hidden, too.
     */
    readonly hidden: readonly string[];
    /** If given, the only visible paths besides the system's own files. */
    readonly visible?: readonly string[] | undefined;
  }
  | { readonly kind: "none"; readonly reason: string };

/** Advice on how to get bwrap; the package has this name in the usual distributions. */
const INSTALL = "install the package bubblewrap, or choose --sandbox none";

/**
 * Chooses the sandbox of commands. `auto` takes bubblewrap if it is installed and works (it is
 * tried once), otherwise no sandbox, with the reason; `bwrap` fails if bubblewrap does not work.
 *
 * With bubblewrap the system is read-only; the working folder and `writable` can be written to;
 * /tmp is private to the session; keys, logins and histories below the home folder, and the sockets
 * of services in /run, are hidden; processes outside of the session are invisible. Reading other
 * files, and the network unless it is turned off, stay allowed. Without the network, the commands
 * of a session still reach each other, if `nsenter` is installed. Linux only; needs
 * `--allow-run=bwrap,sh`.
 *
 * @throws {CommandStartError} The mode is `bwrap`, and bubblewrap is missing or does not work.
 *
 * @example
 * ```ts
 * import { chooseSandbox } from "@llmcmd/llmcmd/terminal";
 *
 * const sandbox = await chooseSandbox("auto", { network: false });
 * if (sandbox.kind === "none" && sandbox.reason === "") throw new Error("it says why");
 * ```
 */
export async function chooseSandbox(
  mode: SandboxMode,
  options: SandboxOptions = {},
): Promise<Sandbox> {
  if (mode === "none") return { kind: "none", reason: "no sandbox was asked for" };
  const sandbox = await findSandbox(options);
  if (typeof sandbox !== "string") return sandbox;
  if (mode === "auto") return { kind: "none", reason: sandbox };
  throw new CommandStartError(`Cannot confine commands: ${sandbox}; ${INSTALL}`);
}

/** The sandbox if it works, otherwise the reason why it does not. */
async function findSandbox(options: SandboxOptions): Promise<Sandbox | string> {
  if (processHost().os !== "linux") return "bubblewrap is for Linux only";
  try {
    const sandbox = {
      kind: "bwrap",
      network: options.network ?? true,
      writable: [...options.writable ?? []],
      hidden: hiddenPaths(options.home ?? processHost().env["HOME"], options.hidden ?? []),
      visible: options.visible,
    } as const;
    return await probe(sandbox) ?? sandbox;
  } catch (error) {
    if (error instanceof ProgramMissingError) return `${error.program} is not installed`;
    if (error instanceof PermissionError) return `permission ${error.flag} is missing`;
    throw error;
  }
}

/** Tries the sandbox on an empty command; returns the problem, if any. */
async function probe(sandbox: Sandbox & { kind: "bwrap" }): Promise<string | undefined> {
  const args = bwrapArguments(sandbox, { cwd: "/", writable: [], binds: [], hidden: [] });
  const { status, stderr } = await runProgram({
    program: "bwrap",
    args: [...args, "sh", "-c", ":"],
    env: commandEnvironment(),
  });
  if (status === 0) return undefined;
  const [why = ""] = stderr.trim().split("\n");
  return `bwrap does not work here (${why.replace(/^bwrap: /, "") || `status ${status}`})`;
}

/** The sandbox of a command, as its result reports it. */
export function appliedSandbox(
  sandbox: Sandbox,
  writable: readonly string[],
  apart: Apart = [],
): CommandSandbox {
  if (sandbox.kind === "none") return { kind: "none", reason: sandbox.reason };
  const { network } = sandbox;
  return { kind: "bwrap", network, writable, ...apart.length === 0 ? {} : { apart } };
}
