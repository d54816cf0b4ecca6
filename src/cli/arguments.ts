import { shellWord } from "../base/mod.ts";
import { type ParsedArgument, readCommand, UsageError } from "../command_line/mod.ts";
import type { PathKind } from "../sys/mod.ts";
import { inputName, type Instructions, instructionsOf } from "./instructions.ts";
import { LLMCMD_PAGE } from "./pages/mod.ts";

/** A run, as the command line asks for it. */
export interface RunArguments {
  readonly instructions: Instructions;
  /** Input files in the order of their descriptors, from 3; `-` is standard input. */
  readonly inputs: readonly string[];
  /** File of `-o`; absent for standard output. */
  readonly output?: string;
  /** Endpoint of `--base-url`. */
  readonly baseUrl?: string;
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
 * `kindOf` tells what a path is, so that files given before the instructions can be noticed.
 *
 * @throws {UsageError}
 */
export function parseArguments(
  args: readonly string[],
  kindOf: (path: string) => PathKind = () => "unknown",
): Request {
  const { options, given } = readCommand(args, LLMCMD_PAGE);
  const { completions: shell } = options;
  if (shell !== undefined) return { kind: "print", what: "completions", shell };
  for (const what of ["help", "version", "man"] as const) {
    if (options[what]) return { kind: "print", what };
  }
  const files = given.filter((item) => item.kind === "operand" || item.name === "input");
  let instructions: Instructions;
  if (options.prompt === undefined) {
    const operands = files.filter(({ kind }) => kind === "operand");
    const [first] = operands;
    if (first === undefined) throw new UsageError("the instructions are missing");
    checkOrder(args, operands, kindOf);
    files.splice(files.indexOf(first), 1);
    instructions = { text: first.value };
  } else {
    instructions = instructionsOf(options.prompt);
  }
  if ("text" in instructions && instructions.text.trim() === "") {
    throw new UsageError("the instructions are empty");
  }
  const inputs = files.map(({ value }) => inputName(value));
  if (inputs.includes("")) throw new UsageError("the name of an input file is empty");
  if ("file" in instructions && instructions.file === "-" && inputs.includes("-")) {
    throw new UsageError("standard input can't be both the instructions and an input file");
  }
  const { output, "base-url": baseUrl, model, events, config } = options;
  return {
    kind: "run",
    run: {
      instructions,
      inputs,
      verbose: options.verbose,
      stats: options.stats,
      dryRun: options["dry-run"],
      ...(output === undefined || output === "-" ? {} : { output }),
      ...(baseUrl === undefined ? {} : { baseUrl }),
      ...(model === undefined ? {} : { model }),
      ...(events === undefined ? {} : { events }),
      ...(config === undefined ? {} : { config }),
    },
  };
}

/** Refuses a file in the place of the instructions where the instructions stand among the files. */
function checkOrder(
  args: readonly string[],
  [first, ...others]: readonly ParsedArgument[],
  kindOf: (path: string) => PathKind,
): void {
  if (first === undefined || others.length === 0 || kindOf(first.value) !== "file") return;
  const missing = others.filter(({ value }) => value !== "-" && kindOf(value) === "missing");
  if (missing.length === 0) return;
  // Several are the words of instructions that were not quoted.
  const instructions = missing.map(({ value }) => value).join(" ");
  const words = args.flatMap((word, index) => {
    if (missing.some((operand) => operand.index === index)) return [];
    return index === first.index ? [instructions, word] : [word];
  });
  throw new UsageError(
    `the instructions come first, and '${first.value}' is a file: ` +
      ["llmcmd", ...words.map(shellWord)].join(" "),
  );
}
