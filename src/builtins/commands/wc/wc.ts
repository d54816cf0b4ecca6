import type { Chunk } from "../../../streams/mod.ts";
import {
  matchChoice,
  OpenedFiles,
  openOperands,
  type Operand,
  parseCommand,
  readNameList,
  standardOptions,
} from "../../core/mod.ts";
import type { BuiltinIo } from "../../builtin.ts";
import { type CommandSpec, type ParsedArgument, UsageError } from "../../../command_line/mod.ts";
import { quoteAlways, quoteName, utf8 } from "../../text/mod.ts";
import { type Counts, WcCounter } from "./counter.ts";
import { measure } from "./width.ts";

type Option = keyof Counts | "files0From" | "total" | "help" | "version";

const command: CommandSpec<Option> = {
  name: "wc",
  usage: ["[OPTION]... [FILE]...", "[OPTION]... --files0-from=F"],
  summary:
    "Count the lines, words and bytes of each FILE, and of all of them. A word is a run of " +
    "text without white space that has a printable character.\n\nStandard input is read " +
    "where FILE is - or no FILE is given.\n\nOptions choose what is counted. The order is " +
    "always lines, words, characters, bytes, width.",
  abbreviationOrder: ["bytes", "chars", "lines", "words", "files0-from", "max-line-length"],
  options: [
    { name: "bytes", short: "c", long: "bytes", help: "count bytes" },
    { name: "chars", short: "m", long: "chars", help: "count characters" },
    { name: "lines", short: "l", long: "lines", help: "count newlines" },
    {
      name: "files0From",
      long: "files0-from",
      argument: "required",
      argumentName: "F",
      help: "read NUL-terminated names of inputs from F, or from standard input if F is -",
    },
    {
      name: "columns",
      short: "L",
      long: "max-line-length",
      help: "print the width of the widest line, in columns",
    },
    { name: "words", short: "w", long: "words", help: "count words" },
    {
      name: "total",
      long: "total",
      argument: "required",
      argumentName: "WHEN",
      help: "when the totals are printed: auto (for two inputs or more), always, only (and " +
        "nothing else) or never",
    },
    ...standardOptions,
  ],
};

const TOTALS = ["auto", "always", "only", "never"] as const;
type Total = typeof TOTALS[number];

/** The order of the columns. */
const ORDER = ["lines", "words", "chars", "bytes", "columns"] as const;

interface Settings {
  readonly files: readonly string[];
  readonly wanted: Record<keyof Counts, boolean>;
  readonly files0From: string | undefined;
  readonly total: Total;
}

function readSettings(items: Iterable<ParsedArgument<Option>>): Settings {
  const files: string[] = [];
  const wanted = { lines: false, words: false, chars: false, bytes: false, columns: false };
  let files0From: string | undefined;
  let total: Total = "auto";
  for (const item of items) {
    if (item.kind === "operand") files.push(item.value);
    else if (item.name === "files0From") files0From = item.value;
    else if (item.name === "total") {
      total = matchChoice(item.value, "--total", TOTALS.map((name) => [name])) as Total;
    } else if (item.name in wanted) wanted[item.name as keyof Counts] = true;
  }
  if (!Object.values(wanted).includes(true)) wanted.lines = wanted.words = wanted.bytes = true;
  if (files0From !== undefined && files[0] !== undefined) {
    throw new UsageError(
      `extra operand ${quoteAlways(files[0])}\n` +
        "file operands cannot be combined with --files0-from",
    );
  }
  return { files, wanted, files0From, total };
}

/** The command `wc`; see {@linkcode Builtin}. */
export async function* wc(
  args: readonly string[],
  io: BuiltinIo,
): AsyncGenerator<Chunk, number, void> {
  const parsed = parseCommand(args, io, command, readSettings);
  if (parsed.done) {
    yield* parsed.text;
    return parsed.status;
  }
  const { settings } = parsed;
  const { wanted, total } = settings;
  const columns = ORDER.filter((name) => wanted[name]);
  let status = 0;
  const fail = (message: string): void => {
    io.warn(`wc: ${message}`);
    status = 1;
  };
  let names: readonly string[] = settings.files.length === 0 ? ["-"] : settings.files;
  let width = 0;
  const from = settings.files0From;
  if (from !== undefined) {
    const list = await readNameList(from, io);
    if ("problem" in list) {
      fail(
        list.problem === "open"
          ? `cannot open ${quoteAlways(from)} for reading: ${list.why}`
          : `${quoteName(from)}: read error: ${list.why}`,
      );
      return status;
    }
    ({ names } = list);
    if (!list.regular) width = 1;
  }
  const isUnnamed = settings.files.length === 0 && from === undefined;
  const opened = new OpenedFiles(io);
  if (width === 0) width = await measure(names, columns.length, opened);
  if (total === "only") width = 1;

  const sum: Counts = { lines: 0, words: 0, chars: 0, bytes: 0, columns: 0 };
  const format = (counts: Counts, name: string): Chunk => {
    const numbers = columns.map((each) => String(counts[each]).padStart(width));
    return utf8(`${numbers.join(" ")}${name}\n`);
  };
  const report = (_problem: string, name: string, why: string): void => {
    fail(`${quoteName(isUnnamed ? "standard input" : name)}: ${why}`);
  };
  for (const [i, name] of names.entries()) {
    const why = whyUnusable(name, i, from);
    if (why !== undefined) {
      fail(why);
      continue;
    }
    for await (const input of openOperands([name], opened, report)) {
      const counts = await count(input, wanted);
      for (const each of ORDER) {
        sum[each] = each === "columns"
          ? Math.max(sum[each], counts[each])
          : sum[each] + counts[each];
      }
      if (total === "only") continue;
      const shown = name.includes("\n") ? quoteName(name) : name;
      yield format(counts, isUnnamed ? "" : ` ${shown}`);
    }
  }
  if (total === "only") yield format(sum, "");
  else if (total === "always" || (total === "auto" && names.length > 1)) {
    yield format(sum, " total");
  }
  return status;
}

/** The error for a name that cannot be counted; `from` is the list that contains it. */
function whyUnusable(name: string, index: number, from: string | undefined): string | undefined {
  if (name === "-" && from === "-") {
    return "when reading file names from stdin, no file name of '-' allowed";
  }
  if (name !== "") return undefined;
  return `${
    from === undefined ? "" : `${quoteName(from)}:${index + 1}: `
  }invalid zero-length file name`;
}

async function count(input: Operand, wanted: Settings["wanted"]): Promise<Counts> {
  const counter = new WcCounter(wanted);
  const { lines, words, chars, columns } = wanted;
  const size = lines || words || chars || columns ? 0 : input.at?.size ?? 0;
  if (size > 0) {
    counter.counts.bytes = size;
    return counter.counts;
  }
  for await (const chunk of input) counter.add(chunk);
  return counter.end();
}
