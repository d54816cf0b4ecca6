import { type CommandSpec, longNames, type OptionSpec } from "./options.ts";

/** Column where the help's descriptions start, and the width of its lines. */
const COLUMN = 27;
const WIDTH = 80;

/**
 * The text of `--help`, made from the command's option table; no line is longer than 80 columns.
 * Ends with a newline.
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
  const usages = typeof command.usage === "string" ? [command.usage] : command.usage;
  const lines = usages.map((usage, i) =>
    `${i === 0 ? "Usage:" : "  or: "} ${command.name} ${usage}`
  );
  for (const paragraph of command.summary.split("\n")) lines.push(...wrap(paragraph, WIDTH));
  lines.push("");
  for (const option of command.options) {
    if (option.help === undefined) continue;
    const label = optionLabel(option);
    const text = wrap(option.help, WIDTH - COLUMN);
    if (label.length + 2 > COLUMN) lines.push(label);
    else lines.push((label.padEnd(COLUMN) + (text.shift() ?? "")).trimEnd());
    for (const rest of text) lines.push(" ".repeat(COLUMN) + rest);
  }
  if (command.epilogue !== undefined) {
    lines.push("");
    for (const paragraph of command.epilogue.split("\n")) lines.push(...wrap(paragraph, WIDTH));
  }
  return lines.join("\n") + "\n";
}

function optionLabel(option: OptionSpec): string {
  const longs = longNames(option).map((long) => `--${long}`);
  const name = option.argumentName ?? "ARG";
  const takes = option.argument ?? "none";
  if (longs.length > 0 && takes !== "none") {
    const last = longs.length - 1;
    longs[last] += takes === "required" ? `=${name}` : `[=${name}]`;
  }
  const spellings = option.short === undefined ? longs : [`-${option.short}`, ...longs];
  let label = spellings.join(", ");
  if (longs.length === 0 && takes !== "none") {
    label += takes === "required" ? ` ${name}` : `[${name}]`;
  }
  return (option.short === undefined ? "      " : "  ") + label;
}

/** Wraps at spaces; keeps a line's own indentation. */
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
