import { type ParsedOption, UsageError } from "./options.ts";
import type { CommandOption } from "./page.ts";

/**
 * An option of a page that also parses its argument. The functions below make one from its long
 * spelling, for the parser, the help, the manual page and the completions.
 */
export interface PageOption<Name extends string = string, Value = unknown>
  extends CommandOption<Name> {
  /** Value if the option is not given. */
  readonly initial: Value;
  /** True to stop parsing at this option: later words are ignored, even if they are wrong. */
  readonly ends?: boolean;
  /**
   * Returns the new value; `before` is the value up to this occurrence.
   *
   * @throws {UsageError} If the argument is invalid.
   */
  take(given: ParsedOption, before: Value): Value;
}

/** Properties of every kind of option. */
export interface OptionInit {
  /** One-character spelling. */
  readonly short?: string;
  /** One sentence for the help. */
  readonly help: string;
  /** See {@linkcode PageOption.ends}. */
  readonly ends?: boolean;
}

/** Properties of every kind of option with an argument. */
export interface ArgumentInit extends OptionInit {
  /** Placeholder for the argument in the help: `FILE`. */
  readonly argument: string;
  /** See {@linkcode CommandOption.complete}. */
  readonly complete?: CommandOption["complete"];
}

/**
 * Parses an argument; `as` is the option as it was spelt. Throws a `UsageError` if it is invalid.
 */
export type ReadArgument<Value> = (text: string, as: string) => Value;

/** An option without an argument; its value is `true` if it is given, else `false`. */
export function flag<Name extends string>(
  name: Name,
  { short, help, ends }: OptionInit,
): PageOption<Name, boolean> {
  return { ...row(name, short, help), ends: ends === true, initial: false, take: () => true };
}

/** Properties of a {@linkcode value}. */
export interface ValueInit<Value> extends ArgumentInit {
  /** Parses the argument. */
  readonly read: ReadArgument<Value>;
  /**
   * Advice for a user who gives the option twice, which is then an error. By default the last one
   * wins.
   */
  readonly once?: string;
}

/** An option with an argument; its value is `usual` if it is not given. */
export function value<Name extends string, Value>(
  name: Name,
  init: ValueInit<Value> & { readonly usual: Value },
): PageOption<Name, Value>;
/** An option with an argument; its value is `undefined` if it is not given. */
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
 * An option whose argument may be left out: `--name` or `--name=ARGUMENT`. Its value is `""`
 * without an argument, and `undefined` if the option is not given.
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

/** Properties of a {@linkcode choice}. */
export interface ChoiceInit<Word extends string> extends Omit<ArgumentInit, "complete"> {
  /** The words. */
  readonly words: readonly Word[];
  /** Noun for the error message: `no sandbox 'x'`. By default the option's name. */
  readonly what?: string;
}

/**
 * An option whose argument is one of at least two words; its value is `usual` if it is not given.
 */
export function choice<Name extends string, const Word extends string>(
  name: Name,
  init: ChoiceInit<Word> & { readonly usual: NoInfer<Word> },
): PageOption<Name, Word>;
/**
 * An option whose argument is one of at least two words; its value is `undefined` if it is not
 * given.
 */
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

/** An option that may be given several times; its value is the list of all arguments, in order. */
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

/** Accepts any argument that is not empty, unchanged. */
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
