import { formatHelp } from "./help.ts";
import type { CommandPage, SubcommandPage } from "./page.ts";

/** Makes the text of `--help` from a page: at most 80 columns wide, with a final newline. */
export function pageHelp(
  page: CommandPage,
  subcommands: readonly Omit<SubcommandPage, "page">[] = [],
): string {
  const usages = typeof page.usage === "string" ? [page.usage] : page.usage;
  const terms = subcommands.map(({ word, about }) => [word, about] as const);
  const more = `For details: ${page.name} SUBCOMMAND --help.`;
  return formatHelp({
    ...page,
    usage: terms.length === 0 ? usages : [...usages, "SUBCOMMAND [ARGUMENT]..."],
    sections: [
      ...terms.length === 0 ? [] : [{ title: "Subcommands", text: [more], terms }],
      ...page.sections.filter(({ manual }) => manual !== true),
      { title: "Examples", lines: page.examples.map(({ line }) => line) },
    ],
  });
}
