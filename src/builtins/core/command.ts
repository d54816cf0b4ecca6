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

/** The two options that every command has; they end its table. */
export const standardOptions = [
  { name: "help", long: "help", help: "show this help" },
  { name: "version", long: "version", help: "show the version" },
] as const;

/**
 * An argument whose syntax is right but whose value the command does not accept. Its message is not
 * followed by a hint at `--help`.
 */
export class InvalidArgument extends Error {
  override readonly name = "InvalidArgument";
}

/**
 * Finds the choice that a word abbreviates, as gnulib's `argmatch` does; choices in one list are
 * the same.
 *
 * @throws {UsageError} If there is none or more than one. The message lists them.
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

/** The result of reading a command line: settings to run with, or an exit status to end with. */
export type ParsedCommand<Settings> =
  | { readonly done: false; readonly settings: Settings }
  | { readonly done: true; readonly text: readonly Chunk[]; readonly status: number };

/**
 * Reports an error in a command line while reading goes on. If the error is thrown afterwards, it
 * is not reported again.
 */
export type ReportFault = (error: UsageError | InvalidArgument) => void;

/** Makes the settings from options and operands. */
export type ReadSettings<Name extends string, Settings> = (
  items: Iterable<ParsedArgument<Name>>,
  report: ReportFault,
) => Settings;

/**
 * Parses a builtin's command line, and ends the command for `--help`, `--version`, wrong usage and
 * refused options.
 *
 * `read` makes the settings of the options and operands; it may throw or report a
 * {@linkcode UsageError} or an {@linkcode InvalidArgument}, which end the command with `trouble`.
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
    // For a wrong choice every GNU tool ends with 1, whatever its usual status for errors is.
    const choice = error instanceof UsageError && error.problem === "choice";
    return { done: true, text: [], status: choice ? 1 : trouble };
  }
}

/**
 * Makes a builtin from the description of its command line, the function that reads its settings
 * and the one that runs with them. `trouble` is the exit status of wrong usage. The generator of
 * `run` is used directly, without another one around it.
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

/** The settings of a command that has operands only. */
export function operandsOf(items: Iterable<ParsedArgument>): string[] {
  return Array.from(items, (item) => item.value);
}
