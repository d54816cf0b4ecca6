import { flag, type PageSection, type ReadArgument, UsageError } from "../../command_line/mod.ts";

export { printText, READER_GONE, type TextOutput } from "./print_text.ts";

/** The option that every command has. */
export const HELP = flag("help", { short: "h", help: "print this help", ends: true });

/** Reads a port; 0 stands for any free one. */
export function port(text: string): number {
  const number = Number(text);
  if (/^\d{1,5}$/.test(text) && number <= 65535) return number;
  throw new UsageError(`the port is '${text}': give a number from 0 to 65535`);
}

/** Reads a number of seconds, up to 99,999. */
export function seconds(text: string): number {
  if (/^\d{1,5}(\.\d{1,3})?$/.test(text)) return Number(text);
  throw new UsageError(`the time is '${text}': give seconds, from 0 to 99999`);
}

/** Returns a reader of whole numbers. */
export function wholeNumber(least: number, most = Infinity): ReadArgument<number> {
  return (text, as) => {
    const number = Number(text);
    if (/^\d{1,15}$/.test(text) && number >= least && number <= most) return number;
    const range = most === Infinity ? `of at least ${least}` : `from ${least} to ${most}`;
    throw new UsageError(`the argument of '${as}' is '${text}': give a whole number ${range}`);
  };
}

/** Reads text for a model, which must not be blank. */
export function words(text: string, as: string): string {
  if (text.trim() === "") throw new UsageError(`the argument of '${as}' is empty`);
  return text;
}

type Term = readonly [status: string, meaning: string];

/** Exit statuses that all subcommands share. */
const SHARED: readonly Term[] = [
  ["5", "a permission of the sandbox is missing"],
  ["130, 143", "ended by SIGINT or SIGTERM, as a shell sees it"],
];

/** The exit statuses of a subcommand, in ascending order. */
export function exitStatuses(own: readonly Term[], text?: string): PageSection {
  const terms = [...own, ...SHARED].sort(([a], [b]) => parseInt(a) - parseInt(b));
  return { title: "Exit status", terms, ...(text === undefined ? {} : { text: [text] }) };
}
