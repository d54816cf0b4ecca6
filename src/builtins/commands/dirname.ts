import type { Chunk } from "../../streams/mod.ts";
import { builtinOf, standardOptions } from "../core/mod.ts";
import type { Builtin } from "../builtin.ts";
import { type CommandSpec, type ParsedArgument, UsageError } from "../../command_line/mod.ts";
import { utf8 } from "../text/mod.ts";

type Option = "zero" | "help" | "version";

const command: CommandSpec<Option> = {
  name: "dirname",
  usage: "[OPTION] NAME...",
  summary: "Print the folder of each NAME: the part before its last slash, or . if it has none. " +
    "Trailing slashes are ignored.",
  options: [
    { name: "zero", short: "z", long: "zero", help: "end each name with NUL, not with a newline" },
    ...standardOptions,
  ],
};

interface Settings {
  readonly names: readonly string[];
  readonly end: string;
}

function readSettings(items: Iterable<ParsedArgument<Option>>): Settings {
  const names: string[] = [];
  let end = "\n";
  for (const item of items) {
    if (item.kind === "operand") names.push(item.value);
    else end = "\0";
  }
  if (names.length === 0) throw new UsageError("missing operand");
  return { names, end };
}

/** The path without its last component. */
function folderOf(path: string): string {
  const slash = path.replace(/\/+$/, "").lastIndexOf("/");
  if (slash < 0) return path.startsWith("/") ? "/" : ".";
  return path.slice(0, slash).replace(/\/+$/, "") || "/";
}

/** The command `dirname`; see {@linkcode Builtin}. */
export const dirname: Builtin = builtinOf(command, readSettings, run);

async function* run({ names, end }: Settings): AsyncGenerator<Chunk, number, void> {
  for (const name of names) yield utf8(folderOf(name) + end);
  return 0;
}
