import { type ParsedOption, UsageError } from "./options.ts";
import type { CommandOption } from "./page.ts";

/**
 * An option of a page that also knows what its argument means. It is written once, by one of the
 * functions below, under its long spelling; parser, help, manual page and completions read it.
 */
export interface PageOption<Name extends string = string, Value = unknown>
  extends CommandOption<Name> {
  /** What counts where the option is not given. */
  readonly initial: Value;
  /** Whether reading stops here: whatever follows is not looked at, not even for mistakes. */
  readonly ends?: boolean;
  /**
   * What counts from this one on; `before` is what counted until now.
   *
   * @throws {UsageError} The argument makes no sense.
   */
  take(given: ParsedOption, before: Value): Value;
}

/** What all kinds of options have. */
export interface OptionInit {
  /** One-character spelling. */
  readonly short?: string;
  /** One sentence for the help. */
  readonly help: string;
  /** See {@linkcode PageOption.ends}. */
  readonly ends?: boolean;
}

/** What all kinds of options with an argument have. */
export interface ArgumentInit extends OptionInit {
  /** What the help calls the argument: `FILE`. */
  readonly argument: string;
  /** What completes it. */
  readonly complete?: CommandOption["complete"];
}

/** Reads an argument; `as` is the option as it was spelt. Throws a `UsageError` for nonsense. */
export type ReadArgument<Value> = (text: string, as: string) => Value;

/** An option without an argument: `true` where it is given. */
export function flag<Name extends string>(
  name: Name,
  { short, help, ends }: OptionInit,
): PageOption<Name, boolean> {
  return { ...row(name, short, help), ends: ends === true, initial: false, take: () => true };
}

/** What {@linkcode value} needs. */
export interface ValueInit<Value> extends ArgumentInit {
  /** Reads the argument. */
  readonly read: ReadArgument<Value>;
  /** Why it can't be given twice: what to do instead. Without, the last one given counts. */
  readonly once?: string;
}

/** An option with an argument, and a value that counts where it is not given. */
export function value<Name extends string, Value>(
  name: Name,
  init: ValueInit<Value> & { readonly usual: Value },
): PageOption<Name, Value>;
/** An option with an argument; `undefined` where it is not given. */
export function value<Name extends string, Value>(
  name: Name,
  init: ValueInit<Value>,
): PageOption<Name, Value | undefined>;
export function value<Name extends string, Value>(
  name: Name,
  init: ValueInit<Value> & { readonly usual?: Value },
): PageOption<Name, Value | undefined> {
  const { read, usual, once } = init;
  return {
    ...argumentRow(name, init),
    initial: usual,
    take({ value, as }, before) {
      if (once !== undefined && before !== usual) {
        throw new UsageError(`option '${as}' was given twice: ${once}`);
      }
      return read(value, as);
    },
  };
}

/**
 * An option with an argument that may be left out, as in `--name` and `--name=ARGUMENT`: `""` where
 * it is, `undefined` where the option is not given.
 */
export function optionalValue<Name extends string>(
  name: Name,
  init: ArgumentInit & { readonly read: ReadArgument<string> },
): PageOption<Name, string | undefined> {
  return {
    ...argumentRow(name, init),
    argument: "optional",
    initial: undefined,
    take: ({ value, hasValue, as }) => hasValue ? init.read(value, as) : "",
  };
}

/** What {@linkcode choice} needs. */
export interface ChoiceInit<Word extends string> extends Omit<ArgumentInit, "complete"> {
  /** The words. */
  readonly words: readonly Word[];
  /** What the message calls them: `no sandbox 'x'`. The option's name if absent. */
  readonly what?: string;
}

/** An option whose argument is one of at least two words, one of which is the usual one. */
export function choice<Name extends string, const Word extends string>(
  name: Name,
  init: ChoiceInit<Word> & { readonly usual: NoInfer<Word> },
): PageOption<Name, Word>;
/** An option whose argument is one of at least two words; `undefined` where it is not given. */
export function choice<Name extends string, const Word extends string>(
  name: Name,
  init: ChoiceInit<Word>,
): PageOption<Name, Word | undefined>;
export function choice<Name extends string, const Word extends string>(
  name: Name,
  init: ChoiceInit<Word> & { readonly usual?: NoInfer<Word> },
): PageOption<Name, Word | undefined> {
  const { words, what = name } = init;
  return {
    ...argumentRow(name, { ...init, complete: words }),
    initial: init.usual,
    take({ value }) {
      const word = words.find((word) => word === value);
      if (word !== undefined) return word;
      throw new UsageError(
        `no ${what} '${value}': give ${words.slice(0, -1).join(", ")} or ${words.at(-1)}`,
      );
    },
  };
}

/** An option that may be given several times: all arguments, in their order. */
export function list<Name extends string>(
  name: Name,
  init: ArgumentInit & { readonly read?: ReadArgument<string> },
): PageOption<Name, readonly string[]> {
  const { read = notEmpty } = init;
  return {
    ...argumentRow(name, init),
    repeats: true,
    initial: [],
    take: ({ value, as }, before) => [...before, read(value, as)],
  };
}

/** Reads an argument as it is; there must be something in it. */
export function notEmpty(text: string, as: string): string {
  if (text === "") throw new UsageError(`the argument of '${as}' is empty`);
  return text;
}

function row<Name extends string>(name: Name, short: string | undefined, help: string) {
  return { name, long: name, help, ...(short === undefined ? {} : { short }) };
}

function argumentRow<Name extends string>(
  name: Name,
  { short, help, ends, argument, complete }: ArgumentInit,
) {
  return {
    ...row(name, short, help),
    ends: ends === true,
    argument: "required" as const,
    argumentName: argument,
    ...(complete === undefined ? {} : { complete }),
  };
}
