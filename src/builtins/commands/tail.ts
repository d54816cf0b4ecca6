import { type ByteSource, type Chunk, randomAccessSource } from "../../streams/mod.ts";
import {
  builtinOf,
  INTMAX,
  InvalidArgument,
  matchChoice,
  openOperands,
  type Operand,
  parseNumber,
  readBounded,
  standardOptions,
  toCount,
} from "../core/mod.ts";
import type { Builtin, BuiltinIo } from "../builtin.ts";
import {
  CommonOptions,
  type CommonSettings,
  countEpilogue,
  endsReport,
  Headers,
  lastLinesOffset,
  lastOfStream,
  laterOptions,
  quietOption,
  readCount,
  skipFirst,
  type Unit,
} from "../hold/mod.ts";
import type { CommandSpec, ParsedArgument } from "../../command_line/mod.ts";
import { quote } from "../text/mod.ts";

type Option =
  | Unit
  | "follow"
  | "retrying"
  | "retry"
  | "pid"
  | "interval"
  | "quiet"
  | "verbose"
  | "zero"
  | "digit"
  | "help"
  | "version";

const command: CommandSpec<Option> = {
  name: "tail",
  usage: "[OPTION]... [FILE]...",
  summary: "Print the last 10 lines of each FILE. With several FILEs, a header with the name " +
    "precedes each.\n\n" +
    "Standard input is read where FILE is - or no FILE is given.",
  abbreviationOrder: [
    "bytes",
    "follow",
    "lines",
    "pid",
    "quiet",
    "retry",
    "silent",
    "sleep-interval",
    "verbose",
    "zero-terminated",
  ],
  options: [
    {
      name: "bytes",
      short: "c",
      long: "bytes",
      argument: "required",
      argumentName: "[+]NUM",
      help: "print the last NUM bytes; with a plus sign, all from byte NUM on",
    },
    {
      name: "follow",
      short: "f",
      help: "read until the stream ends; regular files cannot be followed here",
    },
    {
      name: "follow",
      long: "follow",
      argument: "optional",
      argumentName: "{name|descriptor}",
      help: "the same",
    },
    { name: "retrying", short: "F", help: "the same, with --retry" },
    {
      name: "lines",
      short: "n",
      long: "lines",
      argument: "required",
      argumentName: "[+]NUM",
      help: "print the last NUM lines; with a plus sign, all from line NUM on",
    },
    { name: "pid", long: "pid", argument: "required", argumentName: "PID" },
    quietOption,
    { name: "retry", long: "retry" },
    { name: "interval", short: "s", long: "sleep-interval", argument: "required" },
    ...laterOptions,
    ...standardOptions,
  ],
  epilogue: countEpilogue,
  obsolete: (_word, index, args) => index === 0 ? modernWords(args) : undefined,
};

/** The largest process number, a C `int`. */
const MOST_PID = 2n ** 31n - 1n;

/**
 * True if a text is a number of seconds, as `strtod` reads it. The value is not used, as nothing
 * here waits.
 */
function isInterval(text: string): boolean {
  const decimal = /^(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
  const hexadecimal = /^0x([\da-f]+\.?[\da-f]*|\.[\da-f]+)(p[+-]?\d+)?$/i;
  const number = text.replace(/^[ \t\n\v\f\r]*/, "");
  const size = number.replace(/^[+-]/, "");
  const known = decimal.test(size) || hexadecimal.test(size) || /^inf(inity)?$/i.test(size);
  return known && (!number.startsWith("-") || /^0x?[0.]*(p|$)|^[0.]*(e|$)/i.test(size));
}

interface Settings extends CommonSettings {
  readonly unit: Unit;
  /** Number of lines or bytes to print or, with `fromStart`, to skip. */
  readonly count: number;
  readonly fromStart: boolean;
  /** True if an operating system can seek that far. Otherwise GNU tail reads in another way. */
  readonly seeks: boolean;
  readonly follow: boolean;
  readonly warnings: readonly string[];
}

/**
 * The modern spelling of an obsolete first argument, `-5`, `+5`, `-5cf`, as POSIX 2008 allows it.
 */
function modernWords(args: readonly string[]): string[] | undefined {
  const [word = "", second] = args;
  const few = args.length === 1 || (args.length === 2 && !/^-./.test(second ?? "")) ||
    (args.length >= 2 && args.length <= 3 && second === "--");
  if (!few) return undefined;
  const [, sign, digits = "", unit = "", follow] = /^([+-])(\d*)([bcl]?)(f?)$/.exec(word) ?? [];
  if (sign === undefined || (sign === "-" && (word === "-" || word === "-c"))) return undefined;
  const parsed = parseNumber(digits === "" ? "10" : digits, "");
  if (!parsed.ok) {
    const detail = parsed.problem === "overflow" ? ": Numerical result out of range" : "";
    throw new InvalidArgument(`invalid number: ${quote(word)}${detail}`);
  }
  const count = `${sign === "+" ? "+" : ""}${digits === "" ? "10" : digits}`;
  const option = unit === "b" || unit === "c" ? "-c" : "-n";
  return [`${option}${count}${unit === "b" ? "b" : ""}`, ...(follow === "f" ? ["-f"] : [])];
}

function readSettings(items: Iterable<ParsedArgument<Option>>): Settings {
  const common = new CommonOptions();
  let unit: Unit = "lines";
  let count = 10n;
  let fromStart = false;
  let follow = false;
  const given = new Set<Option>();
  for (const item of common.own(items)) {
    given.add(item.name);
    switch (item.name) {
      case "lines":
      case "bytes":
        unit = item.name;
        if (item.value.startsWith("+")) fromStart = true;
        count = readCount(item.value.startsWith("-") ? item.value.slice(1) : item.value, unit);
        break;
      case "follow":
        if (item.hasValue) matchChoice(item.value, "--follow", [["descriptor"], ["name"]]);
        follow = true;
        break;
      case "retrying":
        follow = true;
        break;
      case "interval":
        if (!isInterval(item.value)) {
          throw new InvalidArgument(`invalid number of seconds: ${quote(item.value)}`);
        }
        break;
      case "pid":
        readBounded(item.value, "invalid PID", { min: 0n, max: MOST_PID });
        break;
      case "digit":
        throw new InvalidArgument(`option used in invalid context -- ${item.as.slice(1)}`);
    }
  }
  const warnings: string[] = [];
  if (given.has("retry") && !follow) {
    warnings.push("--retry ignored; --retry is useful only when following");
  }
  if (given.has("pid") && !follow) {
    warnings.push("PID ignored; --pid=PID is useful only when following");
  }
  if (fromStart && count > 0n) count--;
  const seeks = count <= INTMAX;
  return { ...common.values(), unit, count: toCount(count), fromStart, seeks, follow, warnings };
}

/** The command `tail`; see {@linkcode Builtin}. */
export const tail: Builtin = builtinOf(command, readSettings, run);

async function* run(
  settings: Settings,
  io: BuiltinIo,
): AsyncGenerator<Chunk, number, void> {
  for (const warning of settings.warnings) io.warn(`tail: warning: ${warning}`);
  const { files, follow, count, fromStart } = settings;
  if (follow && (io.stdin.at !== undefined || files.some((name) => name !== "-"))) {
    io.warn("tail: cannot follow regular files here, only a stream that stays open; leave out -f");
    return 2;
  }
  if (count === 0 && !fromStart && !follow) return 0;
  const headers = new Headers(settings.headers, files.length);
  let status = 0;
  const report = endsReport("tail", io, () => status = 1);
  let stdinSeen = false;
  for await (const file of openOperands(files, io, report)) {
    yield* headers.next(file.name);
    // Standard input was read to its end, no matter how much was printed.
    if (file.isStdin && stdinSeen) continue;
    stdinSeen ||= file.isStdin;
    yield* fromStart ? fromCount(file, settings) : last(file, settings, io);
    // As in GNU tail, a read error ends the command where it copies without examining the bytes.
    const copies = settings.unit === "bytes" ? settings.seeks : fromStart && count === 0;
    if (file.failed && copies && !file.isStdin) return 1;
  }
  return status;
}

/** Skips the first `count` lines or bytes. */
async function* fromCount(
  file: Operand,
  { unit, count, separator }: Settings,
): AsyncGenerator<Chunk, void, void> {
  if (unit === "bytes" && file.at !== undefined && file.at.size > 0) {
    if (count < file.at.size) yield* reported(file, randomAccessSource(file.at, { offset: count }));
    return;
  }
  yield* skipFirst(file, unit, { count, separator });
}

/** The last `count` lines or bytes; a file is read from their start only. */
async function* last(
  file: Operand,
  { unit, count, separator }: Settings,
  io: BuiltinIo,
): AsyncGenerator<Chunk, void, void> {
  const { at } = file;
  if (at !== undefined && at.size > 0) {
    let offset: number;
    try {
      offset = unit === "bytes"
        ? Math.max(0, at.size - count)
        : await lastLinesOffset(at, separator, count, io.signal);
    } catch (error) {
      file.report(error);
      return;
    }
    if (offset < at.size) yield* reported(file, randomAccessSource(at, { offset }));
    return;
  }
  yield* lastOfStream(file, unit, { count, separator }, io);
}

/** Reads a file from an offset; errors are reported as the file's. */
async function* reported(file: Operand, source: ByteSource): AsyncGenerator<Chunk, void, void> {
  try {
    yield* source;
  } catch (error) {
    file.report(error);
  }
}
