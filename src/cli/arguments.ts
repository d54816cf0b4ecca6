import { readCommand, UsageError } from "../command_line/mod.ts";
import { LLMCMD_PAGE } from "./pages/mod.ts";

/** A run, as the command line asks for it. */
export interface RunArguments {
  readonly instructions: string;
  /** Input files in the order of their descriptors, from 3; `-` is standard input. */
  readonly inputs: readonly string[];
  /** File of `-o`; absent for standard output. */
  readonly output?: string;
  readonly model?: string;
  readonly verbose: boolean;
  /** File of `--events`; `-` is standard error. */
  readonly events?: string;
  readonly stats: boolean;
  readonly dryRun: boolean;
  /** File of `--config`. */
  readonly config?: string;
}

/** What the command line asks for. */
export type Request =
  | { readonly kind: "run"; readonly run: RunArguments }
  | { readonly kind: "print"; readonly what: "help" | "version" | "man" }
  | { readonly kind: "print"; readonly what: "completions"; readonly shell: string };

/**
 * Reads the command line of `llmcmd`; docs/llmcmd.md has its syntax.
 *
 * The first operand is the instructions unless `-p` is given; all others, and the arguments of
 * `-i`, are inputs in the order in which they stand. Of other options given twice the last counts.
 *
 * @throws {UsageError}
 */
export function parseArguments(args: readonly string[]): Request {
  const { options, given } = readCommand(args, LLMCMD_PAGE);
  const { completions: shell } = options;
  if (shell !== undefined) return { kind: "print", what: "completions", shell };
  for (const what of ["help", "version", "man"] as const) {
    if (options[what]) return { kind: "print", what };
  }
  const files = given.filter((item) => item.kind === "operand" || item.name === "input");
  let instructions = options.prompt;
  if (instructions === undefined) {
    const first = files.findIndex(({ kind }) => kind === "operand");
    instructions = first < 0 ? undefined : files.splice(first, 1)[0]?.value;
    if (instructions === undefined) throw new UsageError("the instructions are missing");
  }
  if (instructions.trim() === "") throw new UsageError("the instructions are empty");
  const inputs = files.map(({ value }) => value);
  if (inputs.includes("")) throw new UsageError("the name of an input file is empty");
  const { output, model, events, config } = options;
  return {
    kind: "run",
    run: {
      instructions,
      inputs,
      verbose: options.verbose,
      stats: options.stats,
      dryRun: options["dry-run"],
      ...(output === undefined || output === "-" ? {} : { output }),
      ...(model === undefined ? {} : { model }),
      ...(events === undefined ? {} : { events }),
      ...(config === undefined ? {} : { config }),
    },
  };
}
