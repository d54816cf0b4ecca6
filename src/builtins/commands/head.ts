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
  summary: "Print the first 10 lines of each FILE. With several FILEs, a header with the name " +
    "precedes each.\n\n" +
    "Standard input is read where FILE is - or no FILE is given.",
  options: [
    {
      name: "bytes",
      short: "c",
      long: "bytes",
      argument: "required",
      argumentName: "[-]NUM",
      help: "print the first NUM bytes; with a minus sign, all but the last NUM",
    },
    {
      name: "lines",
      short: "n",
      long: "lines",
      argument: "required",
      argumentName: "[-]NUM",
      help: "print the first NUM lines; with a minus sign, all but the last NUM",
    },
    quietOption,
    ...laterOptions,
    ...standardOptions,
  ],
  epilogue: countEpilogue,
  obsolete: (word, index) => index === 0 && /^-\d/.test(word) ? modernWords(word) : undefined,
};

/**
 * The modern spelling of the obsolete `-5`, `-5c`, `-20kqv`: digits, then letters, the last of
 * which decides the unit.
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
  /** True if the count is of lines or bytes to leave out at the end. */
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
  // GNU head uses the number of bytes to leave out as a file offset.
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
  /** Bytes used of standard input if it is a file: a second `-` continues there. */
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
