import type { Rule } from "./rules.ts";

/**
 * The commands that read a setting: `llmcmd` and `llmcmd fsproxy --llm` (`llmcmd`), `llmcmd agent`,
 * `llmcmd serve` and `llmcmd desktop` (`agent`), or `llmcmd serve` alone (`serve`).
 */
export type Reader = "llmcmd" | "agent" | "serve";

/** One row of the table of settings. */
export interface Setting<Value extends string | number = string | number> {
  /** The variables by reader, in the order in which they count. */
  readonly names: Readonly<Partial<Record<Reader, readonly [string, ...string[]]>>>;
  /** Reads and checks the text. */
  readonly rule: Rule<Value>;
  /** The default as a user would write it; with one default for all readers, just the text. */
  readonly usual?: string | Readonly<Partial<Record<Reader, string>>>;
  /** Stands for the default in help where no text can be the default. */
  readonly otherwise?: string;
  /** The meaning, for help and documentation. */
  readonly about: string;
  /** The condition on which the other names count for `llmcmd`, for help. */
  readonly condition?: string;
  /** The option of the command line that counts before the variables. */
  readonly option?: string;
  /** True for a setting that files cannot have. */
  readonly environmentOnly?: boolean;
}

/** A setting that has a value for every reader. */
export interface SettingWithDefault<Value extends string | number = string | number>
  extends Setting<Value> {
  readonly usual: string;
}

/** The variables of a setting for a reader, in the order in which they count. */
export function namesOf({ names }: Setting, reader: Reader): readonly string[] {
  return names[reader] ?? [];
}

/** The variable that errors and help name for a setting: the one that counts first. */
export function nameOf({ names }: Setting, reader: Reader): string {
  const own = names[reader] ?? Object.values(names)[0];
  if (own === undefined) throw new TypeError("A setting has no name");
  return own[0];
}

/** The default of a setting for a reader, as a user would write it. */
export function usualOf({ usual }: Setting, reader: Reader): string | undefined {
  return typeof usual === "object" ? usual[reader] : usual;
}
