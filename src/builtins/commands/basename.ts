import type { Chunk } from "../../streams/mod.ts";
import { builtinOf, standardOptions } from "../core/mod.ts";
import type { Builtin } from "../builtin.ts";
import { type CommandSpec, type ParsedArgument, UsageError } from "../../command_line/mod.ts";
import { quote, utf8 } from "../text/mod.ts";

type Option = "multiple" | "suffix" | "zero" | "help" | "version";

const command: CommandSpec<Option> = {
  name: "basename",
  usage: ["NAME [SUFFIX]", "OPTION... NAME..."],
  summary:
    "Print the part of NAME after the last slash; trailing slashes are ignored. A trailing " +
    "SUFFIX is removed, unless it is the whole name.",
  stopAtOperand: true,
  options: [
    {
      name: "multiple",
      short: "a",
      long: "multiple",
      help: "treat every operand as a NAME",
    },
    {
      name: "suffix",
      short: "s",
      long: "suffix",
      argument: "required",
      argumentName: "SUFFIX",
      help: "remove a trailing SUFFIX from each NAME; implies -a",
    },
    { name: "zero", short: "z", long: "zero", help: "end each name with NUL, not with a newline" },
    ...standardOptions,
  ],
};

interface Settings {
  readonly names: readonly string[];
  readonly suffix: string;
  readonly end: string;
}

function readSettings(items: Iterable<ParsedArgument<Option>>): Settings {
  const names: string[] = [];
  let multiple = false;
  let suffix = "";
  let end = "\n";
  for (const item of items) {
    if (item.kind === "operand") names.push(item.value);
    else if (item.name === "zero") end = "\0";
    else multiple = true;
    if (item.kind === "option" && item.name === "suffix") suffix = item.value;
  }
  if (names.length === 0) throw new UsageError("missing operand");
  if (multiple) return { names, suffix, end };
  const [name = "", last = "", extra] = names;
  if (extra !== undefined) throw new UsageError(`extra operand ${quote(extra)}`);
  return { names: [name], suffix: last, end };
}

/** The last component of a path, without trailing slashes; `/` for the root. */
function lastComponent(path: string): string {
  const trimmed = path.replace(/\/+$/, "");
  if (trimmed === "") return path === "" ? "" : "/";
  return trimmed.slice(trimmed.lastIndexOf("/") + 1);
}

/** The command `basename`; see {@linkcode Builtin}. */
export const basename: Builtin = builtinOf(command, readSettings, run);

async function* run({ names, suffix, end }: Settings): AsyncGenerator<Chunk, number, void> {
  for (const name of names) {
    const base = lastComponent(name);
    const cut = suffix !== "" && base !== suffix && base !== "/" && base.endsWith(suffix);
    yield utf8((cut ? base.slice(0, -suffix.length) : base) + end);
  }
  return 0;
}
