import type { CommandSpec } from "./options.ts";
import { optionLabel } from "./spelling.ts";

/** Width of the help in columns. */
const WIDTH = 80;
/** Column at which descriptions start: GNU's, and a wider one for a help with sections. */
const COLUMN = 27;
const COLUMN_WITH_SECTIONS = 29;

/**
 * Makes the text of `--help` from the command's option table. No line is longer than 80 columns;
 * the text ends with a newline.
 *
 * @example
 * ```ts
 * import { formatHelp } from "@llmcmd/llmcmd/builtins";
 * import assert from "node:assert/strict";
 *
 * const help = formatHelp({
 *   name: "lines",
 *   usage: "[OPTION]... [FILE]...",
 *   summary: "Print lines.",
 *   options: [{
 *     name: "count",
 *     short: "n",
 *     long: "lines",
 *     argument: "required",
 *     argumentName: "NUM",
 *     help: "print NUM of them",
 *   }],
 * });
 * assert.equal(
 *   help,
 *   "Usage: lines [OPTION]... [FILE]...\nPrint lines.\n\n" +
 *     "  -n, --lines=NUM          print NUM of them\n",
 * );
 * ```
 */
export function formatHelp(command: CommandSpec): string {
  const { sections = [] } = command;
  const column = sections.length === 0 ? COLUMN : COLUMN_WITH_SECTIONS;
  const usages = typeof command.usage === "string" ? [command.usage] : command.usage;
  const lines = usages.map((usage, i) =>
    `${i === 0 ? "Usage:" : "  or: "} ${command.name} ${usage}`
  );
  for (const paragraph of command.summary.split("\n")) lines.push(...wrap(paragraph, WIDTH));
  lines.push("");
  if (sections.length > 0) lines.push("Options:");
  for (const option of command.options) {
    if (option.help === undefined) continue;
    const indent = option.short === undefined ? "      " : "  ";
    lines.push(...row(indent + optionLabel(option), option.help, column));
  }
  for (const { title, text = [], terms = [], lines: verbatim = [] } of sections) {
    lines.push("", `${title}:`);
    for (const paragraph of text) {
      lines.push(...wrap(paragraph, WIDTH - 2).map((line) => `  ${line}`));
    }
    for (const [term, meaning] of terms) lines.push(...row(`  ${term}`, meaning, column));
    lines.push(...verbatim.map((line) => `  ${line}`));
  }
  if (command.epilogue !== undefined) {
    lines.push("");
    for (const paragraph of command.epilogue.split("\n")) lines.push(...wrap(paragraph, WIDTH));
  }
  return lines.join("\n") + "\n";
}

/**
 * Puts a label and its description side by side, or the label on its own line if it is too long.
 */
function row(label: string, description: string, column: number): string[] {
  const text = wrap(description, WIDTH - column);
  const first = label.length + 2 > column
    ? label
    : (label.padEnd(column) + (text.shift() ?? "")).trimEnd();
  return [first, ...text.map((line) => " ".repeat(column) + line)];
}

/** Wraps text at spaces; keeps its own indentation. */
function wrap(text: string, width: number): string[] {
  const indent = /^ */.exec(text)?.[0] ?? "";
  const lines: string[] = [];
  let line = "";
  for (const piece of text.slice(indent.length).split(/ (?! )/)) {
    if (line !== "" && indent.length + line.length + 1 + piece.length > width) {
      lines.push(indent + line);
      line = piece;
    } else {
      line = line === "" ? piece : `${line} ${piece}`;
    }
  }
  lines.push(indent + line);
  return lines;
}
