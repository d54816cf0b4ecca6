import type { CommandOption, CommandPage, PageSection, SubcommandPage } from "./page.ts";
import { argumentForm, spellings } from "./spelling.ts";

/** Facts for a manual page that are not in the command's pages. */
export interface ManualFacts {
  /** Purpose of the command, in the style of `whatis`: no capital, no full stop. */
  readonly about: string;
  /** The version of the command. */
  readonly version: string;
}

/**
 * Makes the manual page (section 1) as roff source, for `man -l -`. Each subcommand has a section
 * with everything from its own page.
 */
export function renderManual(
  page: CommandPage,
  subcommands: readonly SubcommandPage[],
  { about, version }: ManualFacts,
): string {
  const lines = [
    `.TH ${page.name.toUpperCase()} 1 "" "${page.name} ${version}"`,
    ".SH NAME",
    `${page.name} \\- ${text(about)}`,
    ".SH SYNOPSIS",
    ...synopsis(page),
    ...subcommands.flatMap(({ page }) => [".br", ...synopsis(page)]),
    ".SH DESCRIPTION",
    text(page.summary),
    ".SH OPTIONS",
    ...options(page.options),
    ...page.sections.flatMap((section) => [
      `.SH "${text(section.title.toUpperCase())}"`,
      ...contents(section),
    ]),
  ];
  for (const { page } of subcommands) {
    lines.push(
      `.SH "${text(page.name.toUpperCase())}"`,
      text(page.summary),
      ...options(page.options),
      ...page.sections.flatMap((section) => [
        `.SS "${text(section.title)}"`,
        ...contents(section),
      ]),
    );
  }
  lines.push(".SH EXAMPLES");
  for (const { examples } of [page, ...subcommands.map(({ page }) => page)]) {
    for (const { about, line } of examples) lines.push(".PP", `${text(about)}:`, ...code([line]));
  }
  return lines.join("\n") + "\n";
}

function synopsis(page: CommandPage): string[] {
  const usages = typeof page.usage === "string" ? [page.usage] : page.usage;
  return usages.flatMap((usage, i) => [
    ...(i > 0 ? [".br"] : []),
    `.B ${text(page.name)}`,
    text(usage),
  ]);
}

function options(options: readonly CommandOption[]): string[] {
  return options.flatMap((option) => [".TP", label(option), text(option.help ?? "")]);
}

/** An option in bold: `\fB\-o\fR, \fB\-\-output\fR=\fIFILE\fR`. */
function label(option: CommandOption): string {
  const bold = spellings(option).map((spelling) => `\\fB${text(spelling)}\\fR`).join(", ");
  const form = argumentForm(option);
  if (form === undefined) return bold;
  return `${bold}${form.before}\\fI${text(form.name)}\\fR${form.after}`;
}

/** The lines below the heading of a section. */
function contents({ text: paragraphs = [], terms = [], lines = [] }: PageSection): string[] {
  return [
    ...paragraphs.flatMap((paragraph, i) => [...(i > 0 ? [".PP"] : []), text(paragraph)]),
    ...(lines.length === 0 ? [] : code(lines)),
    ...terms.flatMap(([term, meaning]) => [".TP", `.B ${text(term)}`, text(meaning)]),
  ];
}

function code(lines: readonly string[]): string[] {
  return [".PP", ".RS 4", ".EX", ...lines.map(text), ".EE", ".RE"];
}

/** Escapes characters that roff would read as a command. */
function text(plain: string): string {
  return plain
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll("'", "\\(aq")
    .replaceAll("`", "\\(ga")
    .replaceAll("^", "\\(ha")
    .replaceAll("~", "\\(ti")
    .replace(/^\./gm, "\\&.");
}
