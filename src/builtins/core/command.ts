import type { Chunk } from "../../streams/mod.ts";
import type { Builtin, BuiltinIo } from "../builtin.ts";
import {
  type CommandSpec,
  formatHelp,
  type ParsedArgument,
  parseOptions,
  tryHelp,
  UsageError,
} from "../../command_line/mod.ts";
import { quote, utf8 } from "../text/mod.ts";
import { isRefused, refusalIn, type RefusedName } from "./refused_options.ts";

/** The two options that every command has, at the end of its table. */
export const standardOptions = [
  { name: "help", long: "help", help: "show this help" },
  { name: "version", long: "version", help: "show the version" },
] as const;

/**
 * An argument with valid syntax but an invalid value. Unlike a usage error, its message is not
 * followed by a hint at `--help`.
 */
export class InvalidArgument extends Error {
  override readonly name = "InvalidArgument";
}

/**
 * Finds the choice that a word abbreviates, as gnulib's `argmatch` does. Each inner list has
 * synonyms of one choice; the first is returned.
 *
 * @throws {UsageError} If no choice or several choices fit. The message lists them.
 */
export function matchChoice(
  word: string,
  option: string,
  choices: readonly (readonly string[])[],
): string {
  const found = choices.filter((names) => names.some((name) => name.startsWith(word)));
  const exact = choices.find((names) => names.includes(word)) ??
    (found.length === 1 ? found[0] : undefined);
  if (exact?.[0] !== undefined) return exact[0];
  const lines = choices.map((names) => `\n  - ${names.map(quote).join(", ")}`);
  throw new UsageError(
    `${found.length === 0 ? "invalid" : "ambiguous"} argument ${quote(word)} for ` +
      `${quote(option)}\nValid arguments are:${lines.join("")}`,
    "choice",
  );
}

/**
 * The result of reading a command line: settings to run with, or output and an exit status to end
 * with.
 */
export type ParsedCommand<Settings> =
  | { readonly done: false; readonly settings: Settings }
  | { readonly done: true; readonly text: readonly Chunk[]; readonly status: number };

/**
 * Reports an error in a command line while parsing continues. Throwing the error later does not
 * report it again.
 */
export type ReportFault = (error: UsageError | InvalidArgument) => void;

/** Builds the settings from options and operands. */
export type ReadSettings<Name extends string, Settings> = (
  items: Iterable<ParsedArgument<Name>>,
  report: ReportFault,
) => Settings;

/**
 * Parses a builtin's command line; `--help`, `--version`, wrong usage and refused options end the
 * command.
 *
 * `read` builds the settings. It may throw or report a {@linkcode UsageError} or an {@linkcode
 * InvalidArgument}, which end the command with status `trouble`.
 */
export function parseCommand<Name extends string, Settings>(
  args: readonly string[],
  io: BuiltinIo,
  command: CommandSpec<Name | "help" | "version" | RefusedName>,
  read: ReadSettings<Name, Settings>,
  trouble = 1,
): ParsedCommand<Settings> {
  let text: string | undefined;
  let refusal: string | undefined;
  const faults: unknown[] = [];
  const report: ReportFault = (error) => {
    io.warn(`${command.name}: ${error.message}`);
    faults.push(error);
  };
  function* own(): Generator<ParsedArgument<Name>, void, void> {
    for (const item of parseOptions(args, command, command.readsOn === true ? report : undefined)) {
      if (item.kind === "operand") yield item;
      else if (item.name === "help") throw text = formatHelp(command);
      else if (item.name === "version") throw text = `${command.name} (llmcmd builtins)\n`;
      else if (isRefused(item.name)) refusal ??= refusalIn(command.options, item.name, item.as);
      else yield { ...item, name: item.name as Name };
    }
  }
  try {
    const settings = read(own(), report);
    if (faults.length === 0) {
      if (refusal !== undefined) throw new InvalidArgument(refusal);
      return { done: false, settings };
    }
    throw faults.find((fault) => fault instanceof UsageError) ?? faults[0];
  } catch (error) {
    if (text !== undefined) return { done: true, text: [utf8(text)], status: 0 };
    if (!(error instanceof UsageError) && !(error instanceof InvalidArgument)) throw error;
    if (!faults.includes(error)) report(error);
    if (error instanceof UsageError) io.warn(tryHelp(command.name));
    // Every GNU tool exits with 1 for a wrong choice, whatever its usual error status is.
    const choice = error instanceof UsageError && error.problem === "choice";
    return { done: true, text: [], status: choice ? 1 : trouble };
  }
}

/**
 * Creates a builtin from the description of its command line, a function that reads its settings
 * and one that runs it. `trouble` is the exit status of wrong usage. The generator of `run` is
 * returned directly, without a wrapper.
 */
export function builtinOf<Name extends string, Settings>(
  command: CommandSpec<Name | "help" | "version" | RefusedName>,
  read: ReadSettings<Name, Settings>,
  run: (settings: Settings, io: BuiltinIo) => AsyncGenerator<Chunk, number, void>,
  trouble = 1,
): Builtin {
  const builtin: Builtin = (args, io) => {
    const parsed = parseCommand(args, io, command, read, trouble);
    return parsed.done ? answer(parsed) : run(parsed.settings, io);
  };
  return Object.defineProperty(builtin, "name", { value: command.name });
}

async function* answer(
  { text, status }: { readonly text: readonly Chunk[]; readonly status: number },
): AsyncGenerator<Chunk, number, void> {
  yield* text;
  return status;
}

/** The settings of a command without options. */
export function operandsOf(items: Iterable<ParsedArgument>): string[] {
  return Array.from(items, (item) => item.value);
}
