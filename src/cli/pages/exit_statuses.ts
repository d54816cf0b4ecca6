import type { PageSection } from "../../command_line/mod.ts";

type Term = readonly [status: string, meaning: string];

/** Statuses that mean the same for all subcommands. */
const SHARED: readonly Term[] = [
  ["5", "a permission of the sandbox is missing"],
  ["130, 143", "ended by SIGINT or SIGTERM, as a shell sees it"],
];

/** The statuses of a subcommand, in the order of the numbers. */
export function exitStatuses(own: readonly Term[], text?: string): PageSection {
  const terms = [...own, ...SHARED].sort(([a], [b]) => parseInt(a) - parseInt(b));
  return { title: "Exit status", terms, ...(text === undefined ? {} : { text: [text] }) };
}
