import { mayRun, PermissionError, ProgramMissingError } from "../sys/mod.ts";
import type { BwrapPlace } from "./_bwrap.ts";
import { type Connections, Keeper } from "./_keeper.ts";
import type { NamespaceHolder } from "./_namespace_holder.ts";
import type { KillDesign } from "./command.ts";
import { CommandStartError } from "./command_start_error.ts";
import type { Sandbox } from "./sandbox.ts";

/** A command line for the system's shell, or a program with its arguments. */
export type TreeCommand = string | readonly string[];

/** Linux takes at most 128 KiB for one argument, its closing zero byte included. */
const MOST_BYTES = 128 * 1024 - 1;

/**
 * Starts commands with the strongest kill design that works, in `bash`, or in `sh` if there is no
 * bash. It remembers what does not work.
 */
export class TreeStarter {
  readonly #sandbox: Sandbox;
  #designs: readonly KillDesign[];
  #shell = "bash";

  constructor(sandbox: Sandbox, killDesigns: readonly KillDesign[] | undefined) {
    this.#sandbox = sandbox;
    this.#designs = sandbox.kind === "bwrap"
      ? ["namespace"]
      : killDesigns?.filter((design) => design !== "namespace") ?? ["subreaper", "marks"];
  }

  /** The design of commands that are started now. */
  get design(): KillDesign {
    return this.#designs[0] ?? "marks";
  }

  /**
   * Starts a command; resolves when its keeper is about to start it. The command joins the
   * namespaces of a holder, or gets its own.
   *
   * @throws {CommandStartError} It could not be started.
   * @throws {ProgramMissingError} The command names a program that does not exist.
   * @throws {PermissionError} `--allow-run` covers no shell.
   */
  async start(
    command: TreeCommand,
    place: BwrapPlace,
    env: Readonly<Record<string, string>>,
    connections: Connections,
    holder?: NamespaceHolder,
  ): Promise<Keeper> {
    for (;;) {
      const { design } = this;
      try {
        const words = typeof command === "string" ? [this.#shell, "-c", command] : command;
        const kept = { ...connections, words, shell: this.#shell, place, env, holder };
        const keeper = await Keeper.start(design, this.#sandbox, kept);
        return await begun(keeper, words[0] ?? "", place.cwd);
      } catch (error) {
        if (error instanceof CommandMissing && typeof command !== "string") {
          throw new ProgramMissingError(error.program);
        }
        if (!this.#canGoOn(error, design)) throw asStartError(error);
      }
    }
  }

  /** Sets up the next attempt after a failed start; false if there is none. */
  #canGoOn(error: unknown, design: KillDesign): boolean {
    const noShell = error instanceof CommandMissing;
    const failed = error instanceof KeeperFailure;
    if (!noShell && !failed && !isUnavailable(error)) return false;
    if (!noShell && this.#designs.length > 1) {
      this.#designs = this.#designs.slice(1);
      return true;
    }
    if (
      this.#shell === "bash" && (noShell || (failed ? design === "namespace" : mayRun("sh")))
    ) {
      this.#shell = "sh";
      return true;
    }
    return false;
  }
}

/**
 * Refuses commands that the system would refuse without a clear reason.
 *
 * @throws {CommandStartError} The command is empty, has a NUL character, or a part of it is too
 * long.
 */
export function checkCommand(command: TreeCommand): void {
  const words = typeof command === "string" ? [command] : command;
  const name = typeof command === "string" ? "the command" : words[0];
  if (words.length === 0 || typeof command !== "string" && name === "") {
    throw new CommandStartError("Cannot run the command: it names no program");
  }
  for (const word of words) {
    if (word.includes("\0")) {
      throw new CommandStartError(
        `Cannot run ${name?.replaceAll("\0", "")}: it has a NUL character`,
      );
    }
    const { length } = new TextEncoder().encode(word);
    if (length > MOST_BYTES) {
      const what = typeof command === "string" ? "it" : "an argument";
      throw new CommandStartError(
        `Cannot run ${name}: ${what} has ${length} bytes, and the system takes at most ` +
          `${MOST_BYTES}; write it to a file and run that`,
      );
    }
  }
}

/** Waits until the keeper is about to start the command. */
async function begun(keeper: Keeper, program: string, cwd: string): Promise<Keeper> {
  const beginning = await keeper.control.beginning;
  if (beginning === "ready") return keeper;
  const messages = beginning === "missing" ? "" : await keeper.messages;
  await keeper.kill();
  keeper.release();
  if (beginning === "missing") throw new CommandMissing(program);
  if (keeper.design === "namespace" && !/execvp bash: No such/.test(messages)) {
    throw new CommandStartError(
      `Cannot start the sandbox for ${cwd}: ${bwrapMessage(messages) || "it ended at once"}`,
    );
  }
  throw new KeeperFailure(messages);
}

/** The first message of bwrap, without its prefix. */
function bwrapMessage(messages: string): string {
  return messages.replaceAll(/^bwrap: /gm, "").split("\n")[0] ?? "";
}

/** A keeper ended before the command started. */
class KeeperFailure extends Error {}

/** The keeper has not found the command's program. */
class CommandMissing extends Error {
  constructor(readonly program: string) {
    super();
  }
}

/** True for the error of a helper that is not available, so that the next design is tried. */
function isUnavailable(error: unknown): boolean {
  return error instanceof PermissionError || error instanceof ProgramMissingError;
}

/**
 * Converts errors of the host to a {@linkcode CommandStartError}; a missing permission stays a
 * `PermissionError`.
 */
export function asStartError(error: unknown): unknown {
  if (error instanceof CommandStartError || error instanceof PermissionError) return error;
  if (error instanceof ProgramMissingError || error instanceof CommandMissing) {
    return new CommandStartError("Cannot run commands: neither bash nor sh is on the PATH");
  }
  if (error instanceof KeeperFailure) {
    return new CommandStartError(`Cannot start the helper of a command: ${error.message.trim()}`);
  }
  return error instanceof Error
    ? new CommandStartError(error.message, { cause: error })
    : new CommandStartError(String(error));
}
