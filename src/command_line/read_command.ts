import { closest } from "../base/mod.ts";
import { longNames, type ParsedArgument, parseOptions, UsageError } from "./options.ts";
import type { CommandPage } from "./page.ts";
import type { PageOption } from "./page_options.ts";

/** A page whose options parse their arguments. */
export interface ReadablePage<Options extends readonly PageOption[] = readonly PageOption[]>
  extends CommandPage<Options[number]["name"]> {
  /** The options, in the order of the help. */
  readonly options: Options;
}

/** The value of each option of a page, by name. */
export type OptionValues<Options extends readonly PageOption[]> = {
  readonly [Option in Options[number] as Option["name"]]: Option["initial"];
};

/** A parsed command line. */
export interface CommandLine<Options extends readonly PageOption[]> {
  /** The value of each option, given or not. */
  readonly options: OptionValues<Options>;
  /** Options and operands in the order in which they were given. */
  readonly given: readonly ParsedArgument<Options[number]["name"]>[];
}

/** Makes a page; keeps the exact types of its options. */
export function commandPage<const Options extends readonly PageOption[]>(
  page: ReadablePage<Options>,
): ReadablePage<Options> {
  return page;
}

/**
 * Parses a command line by its page, up to the first option that `ends` it. For an unknown option,
 * the error suggests the nearest one.
 *
 * @throws {UsageError}
 */
export function readCommand<Options extends readonly PageOption[]>(
  args: readonly string[],
  page: ReadablePage<Options>,
): CommandLine<Options> {
  const values = new Map<string, unknown>(page.options.map(({ name, initial }) => [name, initial]));
  const given: ParsedArgument<Options[number]["name"]>[] = [];
  for (const item of withHints(parseOptions(args, page), page)) {
    given.push(item);
    if (item.kind === "operand") {
      if (page.operands === undefined) throw unexpectedOperand(item.value, page);
      continue;
    }
    const option = page.options.find(({ name }) => name === item.name);
    values.set(item.name, option?.take(item, values.get(item.name)));
    if (option?.ends === true) break;
  }
  // The keys are the options' names; each value comes from its option's `take` or `initial`.
  return { options: Object.fromEntries(values) as OptionValues<Options>, given };
}

function* withHints<Item>(items: Iterable<Item>, page: CommandPage): Generator<Item, void, void> {
  try {
    yield* items;
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
  const near = closest(typed.slice(2), page.options.flatMap(longNames));
  return near === undefined ? undefined : `--${near}`;
}

function unexpectedOperand(operand: string, { insteadOfOperands }: CommandPage): UsageError {
  const hint = insteadOfOperands === undefined ? "" : `: ${insteadOfOperands}`;
  return new UsageError(`unexpected operand '${operand}'${hint}`);
}
