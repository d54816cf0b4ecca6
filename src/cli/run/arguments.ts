import { shellWord } from "../../base/mod.ts";
import { type ParsedArgument, readCommand, UsageError } from "../../command_line/mod.ts";
import type { PathKind } from "../../sys/mod.ts";
import { type Instructions, instructionsOf, isStandardInput } from "./instructions.ts";
import { LLMCMD_PAGE } from "./page.ts";

/** The options and operands of a run. */
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

/** A request of the command line. */
export type Request =
  | { readonly kind: "run"; readonly run: RunArguments }
  | { readonly kind: "print"; readonly what: "help" | "version" | "man" }
  | { readonly kind: "print"; readonly what: "completions"; readonly shell: string };

/**
 * Reads the command line of `llmcmd`; docs/llmcmd.md has its syntax.
 *
 * The first operand is the instructions unless `-p` is given. All other operands and the arguments
 * of `-i` are inputs, in the order of the command line. Of other options given twice the last
 * counts. `kindOf` looks paths up, to notice files given before the instructions.
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
  const inputs = files.map(({ value }) => isStandardInput(value) ? "-" : value);
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

/** Matches a text that is more likely a word of a sentence than the name of a file. */
const WORD = /^[^./\s]+[.?!]?$/;

/**
 * Refuses a file in the place of the instructions, and instructions that were not quoted, so that
 * their words stand among the files.
 */
function checkOrder(
  args: readonly string[],
  [first, ...others]: readonly ParsedArgument[],
  kindOf: (path: string) => PathKind,
): void {
  if (first === undefined) return;
  const isMissing = ({ value }: ParsedArgument) => value !== "-" && kindOf(value) === "missing";
  const isInput = isStandardInput(first.value);
  if (isInput || kindOf(first.value) === "file") {
    const what = `'${first.value}' is ${isInput ? "standard input" : "a file"}`;
    const words = others.filter(isMissing);
    if (words.length > 0) {
      throw new UsageError(
        `the instructions come first, and ${what}: ` +
          lineWith(args, first, words, [first.value]),
      );
    }
    if (!isInput && !/[./]/.test(first.value)) return;
    throw new UsageError(
      `the instructions are missing, as ${what}: give them first, or with -p`,
    );
  }
  if (/\s/.test(first.value)) return;
  const end = others.findIndex((operand) => !isMissing(operand) || !WORD.test(operand.value));
  const words = end < 0 ? others : others.slice(0, end);
  const [second] = words;
  // A single word may be a file that is missing.
  const isSure = words.length > 1 || others.some(({ value }) => kindOf(value) === "file");
  if (second === undefined || !isSure) return;
  throw new UsageError(
    `'${second.value}' is not a file, and instructions of several words need quotes: ` +
      lineWith(args, first, [first, ...words], []),
  );
}

/** Corrects a command line: replaces `first` by these words as instructions, followed by `then`. */
function lineWith(
  args: readonly string[],
  first: ParsedArgument,
  words: readonly ParsedArgument[],
  then: readonly string[],
): string {
  const instructions = words.map(({ value }) => value).join(" ");
  const line = args.flatMap((word, index) => {
    if (index === first.index) return [instructions, ...then];
    return words.some((operand) => operand.index === index) ? [] : [word];
  });
  return ["llmcmd", ...line.map(shellWord)].join(" ");
}
