import { longNames } from "../options.ts";
import type { CommandOption, CommandPage, SubcommandPage } from "../page.ts";

/** Makes the completion script for fish. */
export function fishScript(page: CommandPage, subcommands: readonly SubcommandPage[]): string {
  const name = page.name;
  const words = subcommands.map(({ word }) => word).join(" ");
  const none = `not __fish_seen_subcommand_from ${words}`;
  const lines = [
    `# fish completion for ${name}: ${name} --completions fish | source`,
    ...page.options.map((option) => line(name, none, option)),
  ];
  for (const { word, about, page } of subcommands) {
    const seen = `__fish_seen_subcommand_from ${word}`;
    lines.push(
      `complete -c ${name} -n __fish_use_subcommand -a ${word} -d ${quote(about)}`,
      ...page.options.map((option) => line(name, seen, option)),
    );
    if (page.operands === "file") continue;
    const words = typeof page.operands === "object" ? ` -a ${quote(page.operands.join(" "))}` : "";
    lines.push(`complete -c ${name} -n '${seen}' -f${words}`);
  }
  return lines.join("\n") + "\n";
}

function line(name: string, condition: string, option: CommandOption): string {
  const parts = [`complete -c ${name} -n '${condition}'`];
  if (option.short !== undefined) parts.push(`-s ${option.short}`);
  parts.push(...longNames(option).map((long) => `-l ${long}`));
  if (option.argument === "required") {
    if (option.complete === "file") parts.push("-r -F");
    else if (option.complete === undefined) parts.push("-x");
    else parts.push(`-x -a ${quote(option.complete.join(" "))}`);
  }
  if (option.help !== undefined) parts.push(`-d ${quote(option.help)}`);
  return parts.join(" ");
}

/** Quotes text for fish, in whose quotes a backslash escapes only `'` and itself. */
function quote(text: string): string {
  return `'${text.replace(/[\\']/g, "\\$&")}'`;
}
