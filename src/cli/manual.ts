import {
  type CommandOption,
  type CommandPage,
  longSpellings,
  type Subcommand,
} from "./pages/mod.ts";

/** The manual page (section 1) as roff source, for `man -l -`. */
export function manualPage(
  page: CommandPage,
  subcommands: readonly Subcommand[],
  version: string,
): string {
  const lines = [
    `.TH ${page.name.toUpperCase()} 1 "" "${page.name} ${version}"`,
    ".SH NAME",
    `${page.name} \\- let a language model do a task on files and pipes`,
    ".SH SYNOPSIS",
    ...synopsis(page),
    ...subcommands.flatMap(({ page }) => [".br", ...synopsis(page)]),
    ".SH DESCRIPTION",
    text(page.summary),
    ".SH OPTIONS",
    ...options(page.options),
  ];
  for (const { page } of subcommands) {
    lines.push(`.SH "${page.name.toUpperCase()}"`, text(page.summary), ...options(page.options));
  }
  for (const list of page.lists) {
    lines.push(`.SH "${list.title.toUpperCase()}"`);
    for (const [i, paragraph] of (list.text ?? []).entries()) {
      lines.push(...(i > 0 ? [".PP"] : []), text(paragraph));
    }
    if (list.line !== undefined) lines.push(...codeBlock(list.line));
    for (const [term, meaning] of list.terms ?? []) {
      lines.push(".TP", `.B ${text(term)}`, text(meaning));
    }
  }
  lines.push(".SH EXAMPLES");
  for (
    const { about, line } of [page, ...subcommands.map(({ page }) => page)].flatMap(
      ({ examples }) => examples,
    )
  ) {
    lines.push(".PP", `${text(about)}:`, ...codeBlock(line));
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
  return options.flatMap((option) => [".TP", spellings(option), text(option.help ?? "")]);
}

/** `\fB\-o\fR, \fB\-\-output\fR=\fIFILE\fR` */
function spellings(option: CommandOption): string {
  const short = option.short === undefined ? [] : [`-${option.short}`];
  const all = [...short, ...longSpellings(option).map((long) => `--${long}`)];
  const bold = all.map((spelling) => `\\fB${text(spelling)}\\fR`).join(", ");
  return option.argument === "required"
    ? `${bold}=\\fI${text(option.argumentName ?? "ARG")}\\fR`
    : bold;
}

function codeBlock(line: string): string[] {
  return [".PP", ".RS 4", ".EX", text(line), ".EE", ".RE"];
}

/** Escapes what roff would take for a command. */
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
