import { closest } from "../base/mod.ts";
import { type ParsedArgument, parseOptions, UsageError } from "../command_line/mod.ts";
import { type CommandPage, longSpellings, type Subcommand } from "./pages/mod.ts";

export { UsageError };

/**
 * Parses a command line by its page. An option that the page doesn't have is an error that names
 * the nearest one.
 *
 * @throws {UsageError}
 */
export function* parseCommand<Name extends string>(
  args: readonly string[],
  page: CommandPage<Name>,
): Generator<ParsedArgument<Name>, void, void> {
  try {
    yield* parseOptions(args, page);
  } catch (error) {
    if (!(error instanceof UsageError) || error.problem !== "unknown") throw error;
    const near = nearestOption(error.option, page);
    throw near === undefined
      ? error
      : new UsageError(`${error.message}; did you mean '${near}'?`, "unknown", error.option);
  }
}

function nearestOption(typed: string, page: CommandPage): string | undefined {
  if (!typed.startsWith("--")) return undefined;
  const near = closest(typed.slice(2), page.options.flatMap(longSpellings));
  return near === undefined ? undefined : `--${near}`;
}

/** The subcommand that `llmcmd mok --port 1` most likely meant. */
export function nearestSubcommand(
  args: readonly string[],
  subcommands: readonly Subcommand[],
): string | undefined {
  const first = args[0];
  return first === undefined ? undefined : closest(first, subcommands.map(({ word }) => word));
}
