import { type Chunk, randomAccessSource } from "../../streams/mod.ts";
import {
  builtinOf,
  INTMAX,
  openOperands,
  type Operand,
  standardOptions,
  toCount,
} from "../core/mod.ts";
import type { Builtin, BuiltinIo } from "../builtin.ts";
import {
  allButLastOfStream,
  CommonOptions,
  type CommonSettings,
  countEpilogue,
  endsReport,
  Headers,
  lastLinesOffset,
  laterOptions,
  quietOption,
  readCount,
  takeFirst,
  type Unit,
  wrongCount,
} from "../hold/mod.ts";
import { type CommandSpec, type ParsedArgument, UsageError } from "../../command_line/mod.ts";

type Option = Unit | "quiet" | "verbose" | "zero" | "digit" | "help" | "version";

const command: CommandSpec<Option> = {
  name: "head",
  usage: "[OPTION]... [FILE]...",
  summary: "Print the beginning of each FILE: 10 lines if no option says otherwise. Where there " +
    "are several, a line with its name stands before each.\n\n" +
    "Standard input is read where FILE is - or no FILE is given.",
  options: [
    {
      name: "bytes",
      short: "c",
      long: "bytes",
      argument: "required",
      argumentName: "[-]NUM",
      help: "so many bytes; with a minus sign, all but so many at the end",
    },
    {
      name: "lines",
      short: "n",
      long: "lines",
      argument: "required",
      argumentName: "[-]NUM",
      help: "so many lines; with a minus sign, all but so many at the end",
    },
    quietOption,
    ...laterOptions,
    ...standardOptions,
  ],
  epilogue: countEpilogue,
  obsolete: (word, index) => index === 0 && /^-\d/.test(word) ? modernWords(word) : undefined,
};

/**
 * The current spelling of the obsolete `-5`, `-5c`, `-20kqv`: digits, then letters of which the
 * last counts.
 */
function modernWords(word: string): string[] {
  const [, digits = "", letters = ""] = /^-(\d+)(.*)$/s.exec(word) ?? [];
  let unit = "-n";
  let multiplier = "";
  const others: string[] = [];
  for (const letter of letters) {
    if (letter === "c") [unit, multiplier] = ["-c", ""];
    else if ("bkm".includes(letter)) [unit, multiplier] = ["-c", letter];
    else if (letter === "l") unit = "-n";
    else if ("qvz".includes(letter)) others.push(`-${letter}`);
    else throw new UsageError(`invalid trailing option -- ${letter}`);
  }
  return [unit, digits + multiplier, ...others];
}

interface Settings extends CommonSettings {
  readonly unit: Unit;
  readonly count: number;
  /** Whether the count is of lines or bytes that are left out at the end. */
  readonly allBut: boolean;
}

function readSettings(items: Iterable<ParsedArgument<Option>>): Settings {
  const common = new CommonOptions();
  let unit: Unit = "lines";
  let count = 10n;
  let allBut = false;
  for (const item of common.own(items)) {
    switch (item.name) {
      case "lines":
      case "bytes":
        unit = item.name;
        allBut = item.value.startsWith("-");
        count = readCount(allBut ? item.value.slice(1) : item.value, unit);
        break;
      case "digit":
        throw new UsageError(`invalid trailing option -- ${item.as.slice(1)}`);
    }
  }
  // GNU head uses the number of bytes left out at the end as an offset in the file.
  if (allBut && unit === "bytes" && count > INTMAX) throw wrongCount(`${count}`, unit, true);
  return { ...common.values(), unit, count: toCount(count), allBut };
}

/** The command `head`; see {@linkcode Builtin}. */
export const head: Builtin = builtinOf(command, readSettings, run);

async function* run(
  settings: Settings,
  io: BuiltinIo,
): AsyncGenerator<Chunk, number, void> {
  const headers = new Headers(settings.headers, settings.files.length);
  let status = 0;
  const report = endsReport("head", io, () => status = 1);
  /** How far standard input has been used, where it is a file: a second `-` goes on from there. */
  let used = 0;
  for await (const file of openOperands(settings.files, io, report)) {
    yield* headers.next(file.name);
    const offset = file.isStdin ? used : 0;
    const part = settings.allBut ? allButLast(file, settings, offset, io) : takeFirst(
      offset > 0 && file.at ? randomAccessSource(file.at, { offset }) : file,
      settings.unit,
      settings,
    );
    for await (const chunk of part) {
      if (file.isStdin && file.at !== undefined) used += chunk.length;
      yield chunk;
    }
  }
  return status;
}

async function* allButLast(
  file: Operand,
  { unit, count, separator }: Settings,
  offset: number,
  io: BuiltinIo,
): AsyncGenerator<Chunk, void, void> {
  const { at } = file;
  if (at !== undefined && at.size > 0) {
    let end: number;
    try {
      end = unit === "bytes"
        ? at.size - count
        : await lastLinesOffset(at, separator, count, io.signal);
    } catch (error) {
      file.report(error);
      return;
    }
    const source = offset > 0 ? randomAccessSource(at, { offset }) : file;
    yield* takeFirst(source, "bytes", { count: end - offset, separator });
    return;
  }
  yield* allButLastOfStream(file, unit, { count, separator }, io);
}
