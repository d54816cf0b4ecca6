import { LLMCMD_PAGE } from "./pages/mod.ts";
import { parseCommand, UsageError } from "./usage.ts";

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
  const files: { name: string; operand: boolean }[] = [];
  const values: { -readonly [Key in keyof RunArguments]?: RunArguments[Key] } = {};
  for (const item of parseCommand(args, LLMCMD_PAGE)) {
    if (item.kind === "operand") {
      files.push({ name: item.value, operand: true });
      continue;
    }
    switch (item.name) {
      case "prompt":
        if (values.instructions !== undefined) {
          throw new UsageError("option '-p' was given twice: put all instructions into one");
        }
        values.instructions = item.value;
        break;
      case "input":
        files.push({ name: item.value, operand: false });
        break;
      case "output":
        if (item.value === "") throw new UsageError("the name of the output file is empty");
        values.output = item.value;
        break;
      case "model":
      case "events":
      case "config":
        if (item.value === "") throw new UsageError(`the argument of '${item.as}' is empty`);
        values[item.name] = item.value;
        break;
      case "verbose":
      case "stats":
        values[item.name] = true;
        break;
      case "dry-run":
        values.dryRun = true;
        break;
      case "completions":
        return { kind: "print", what: "completions", shell: item.value };
      case "help":
      case "version":
      case "man":
        return { kind: "print", what: item.name };
    }
  }
  if (values.instructions === undefined) {
    const first = files.findIndex(({ operand }) => operand);
    const [instructions] = first < 0 ? [] : files.splice(first, 1);
    if (instructions === undefined) throw new UsageError("the instructions are missing");
    values.instructions = instructions.name;
  }
  if (values.instructions.trim() === "") throw new UsageError("the instructions are empty");
  if (files.some(({ name }) => name === "")) {
    throw new UsageError("the name of an input file is empty");
  }
  if (values.output === "-") delete values.output;
  return {
    kind: "run",
    run: {
      ...values,
      instructions: values.instructions,
      inputs: files.map(({ name }) => name),
      verbose: values.verbose ?? false,
      stats: values.stats ?? false,
      dryRun: values.dryRun ?? false,
    },
  };
}
