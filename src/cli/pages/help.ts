import type { CommandOption, CommandPage } from "./command_page.ts";
import { optionLabel } from "./option_label.ts";
import type { Subcommand } from "./subcommands.ts";

const WIDTH = 80;
const COLUMN = 29;

/** The text of `--help`: at most 80 columns, a final newline. */
export function helpText(page: CommandPage, subcommands: readonly Subcommand[] = []): string {
  const usages = typeof page.usage === "string" ? [page.usage] : page.usage;
  const lines = [
    ...usages.map((usage, i) => `${i === 0 ? "Usage:" : "  or: "} ${page.name} ${usage}`),
    ...subcommands.map(({ word }) => `  or:  ${page.name} ${word} [OPTION]...`),
    ...wrap(page.summary, WIDTH),
    "",
    "Options:",
    ...page.options.flatMap((option) => row(helpLabel(option), option.help ?? "")),
  ];
  if (subcommands.length > 0) {
    lines.push("", "Subcommands:");
    for (const { word, about } of subcommands) lines.push(...row(`  ${word}`, about));
  }
  for (const list of page.lists) {
    if (list.manual === true) continue;
    lines.push("", `${list.title}:`);
    for (const text of list.text ?? []) {
      lines.push(...wrap(text, WIDTH - 2).map((line) => `  ${line}`));
    }
    for (const [term, meaning] of list.terms ?? []) lines.push(...row(`  ${term}`, meaning));
  }
  lines.push("", "Examples:", ...page.examples.map(({ line }) => `  ${line}`));
  return lines.join("\n") + "\n";
}

/** Short and long spellings aligned: `  -o, --output=FILE`. */
function helpLabel(option: CommandOption): string {
  return (option.short === undefined ? "      " : "  ") + optionLabel(option);
}

function row(label: string, text: string): string[] {
  const lines = wrap(text, WIDTH - COLUMN).map((line) => " ".repeat(COLUMN) + line);
  if (label.length + 2 > COLUMN) return [label, ...lines];
  return [(label.padEnd(COLUMN) + (lines.shift() ?? "").trimStart()).trimEnd(), ...lines];
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}
