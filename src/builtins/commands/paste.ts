import type { Chunk } from "../../streams/mod.ts";
import {
  builtinOf,
  errorText,
  InvalidArgument,
  isFatal,
  openFile,
  openOperands,
  Operand,
  standardOptions,
} from "../core/mod.ts";
import type { Builtin, BuiltinIo } from "../builtin.ts";
import { LineOutput, LinePieces, quoteName, utf8 } from "../text/mod.ts";
import type { CommandSpec, ParsedArgument } from "../../command_line/mod.ts";

type Option = "delimiters" | "serial" | "zero" | "help" | "version";

const command: CommandSpec<Option> = {
  name: "paste",
  usage: "[OPTION]... [FILE]...",
  summary: "Join the first lines of all FILEs with tabs, then the second lines, and so " +
    "on.\n\nStandard input is read where FILE is - or no FILE is given.",
  abbreviationOrder: ["serial", "delimiters", "zero-terminated"],
  options: [
    {
      name: "delimiters",
      short: "d",
      long: "delimiters",
      argument: "required",
      argumentName: "LIST",
      help: "join with the characters of LIST in turn, not with tabs; \\n, \\t, \\\\ and \\0 " +
        "(no character) are escapes",
    },
    {
      name: "serial",
      short: "s",
      long: "serial",
      help: "join all lines of each FILE, one FILE at a time",
    },
    {
      name: "zero",
      short: "z",
      long: "zero-terminated",
      help: "lines end with NUL, not with a newline",
    },
    ...standardOptions,
  ],
};

/** Bytes that a letter after a backslash stands for; `\0` is an empty delimiter. */
const ESCAPES: ReadonlyMap<number, number> = new Map([
  [48, -1],
  [98, 8],
  [102, 12],
  [110, 10],
  [114, 13],
  [116, 9],
  [118, 11],
]);

/** Quotes as a C string if there is something to escape: gnulib's `c-maybe` style. */
function quoteWhereNeeded(text: string): string {
  // deno-lint-ignore no-control-regex
  if (!/[\x00-\x1f\x7f":]/.test(text)) return text;
  return JSON.stringify(text).replaceAll("\\u000b", "\\v").replaceAll("\\u0007", "\\a");
}

/** The delimiters, single bytes as in GNU paste, -1 for an empty one. */
function readDelimiters(list: string): number[] {
  const bytes = utf8(list);
  if (bytes.length === 0) return [-1];
  const delimiters: number[] = [];
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] as number;
    if (byte !== 92) {
      delimiters.push(byte);
      continue;
    }
    const letter = bytes[++i];
    if (letter === undefined) {
      throw new InvalidArgument(
        `delimiter list ends with an unescaped backslash: ${quoteWhereNeeded(list)}`,
      );
    }
    delimiters.push(ESCAPES.get(letter) ?? letter);
  }
  return delimiters;
}

interface Settings {
  readonly files: readonly string[];
  readonly delimiters: readonly number[];
  readonly serial: boolean;
  readonly separator: number;
}

function readSettings(items: Iterable<ParsedArgument<Option>>): Settings {
  const files: string[] = [];
  let list = "\t";
  let serial = false;
  let separator = 10;
  for (const item of items) {
    if (item.kind === "operand") files.push(item.value);
    else if (item.name === "delimiters") list = item.value;
    else if (item.name === "serial") serial = true;
    else separator = 0;
  }
  const delimiters = readDelimiters(list);
  return { files: files.length === 0 ? ["-"] : files, delimiters, serial, separator };
}

/** The command `paste`; see {@linkcode Builtin}. */
export const paste: Builtin = builtinOf(
  command,
  readSettings,
  (settings, io) => settings.serial ? serial(settings, io) : parallel(settings, io),
);

/** Joins all lines of each file. */
async function* serial(
  { files, delimiters, separator }: Settings,
  io: BuiltinIo,
): AsyncGenerator<Chunk, number, void> {
  let status = 0;
  const operands = openOperands(files, io, (_problem, name, why) => {
    io.warn(`paste: ${quoteName(name)}: ${why}`);
    status = 1;
  });
  const out = new LineOutput();
  for await (const file of operands) {
    const lines = new LinePieces(file, separator);
    let next = 0;
    let first = true;
    for (;;) {
      if (!lines.step()) {
        if (out.length > 0) yield out.take();
        if (!await lines.fill()) break;
      }
      if (lines.begins && !first) {
        const delimiter = delimiters[next] as number;
        if (delimiter >= 0) out.putByte(delimiter);
        next = (next + 1) % delimiters.length;
      }
      first = false;
      out.put(lines.bytes, lines.start, lines.end);
      if (out.full) yield out.take();
    }
    out.putByte(separator);
  }
  if (out.length > 0) yield out.take();
  return status;
}

/** Joins the corresponding lines of all files. */
async function* parallel(
  { files, delimiters, separator }: Settings,
  io: BuiltinIo,
): AsyncGenerator<Chunk, number, void> {
  let status = 0;
  /** Each `-` takes the next line of the same standard input. */
  let stdin: LinePieces | undefined;
  const opened: Operand[] = [];
  const columns: LinePieces[] = [];
  for (const name of files) {
    const fail = (error: unknown): void => {
      if (isFatal(error, io.signal)) throw error;
      io.warn(`paste: ${quoteName(name)}: ${errorText(error)}`);
      status = 1;
    };
    if (name === "-") {
      stdin ??= new LinePieces(new Operand(name, io.stdin, true, fail), separator);
      columns.push(stdin);
      continue;
    }
    let operand: Operand;
    try {
      operand = new Operand(name, await openFile(name, io), false, fail);
    } catch (error) {
      // Opening a folder succeeds, only reading fails.
      if (errorText(error) !== "Is a directory") {
        fail(error);
        return status;
      }
      operand = new Operand(name, undefined, false, fail, error);
    }
    opened.push(operand);
    columns.push(new LinePieces(operand, separator));
  }
  const out = new LineOutput();
  const ended = new Set<number>();
  while (ended.size < columns.length) {
    let next = 0;
    /** True once a file had another line; until then delimiters are held back in `waiting`. */
    let any = false;
    const waiting: number[] = [];
    for (const [i, lines] of columns.entries()) {
      if (i > 0) {
        waiting.push(delimiters[next] as number);
        next = (next + 1) % delimiters.length;
      }
      if (ended.has(i)) continue;
      if (!lines.step()) {
        if (out.length > 0) yield out.take();
        if (!await lines.fill()) {
          ended.add(i);
          continue;
        }
      }
      for (const delimiter of waiting.splice(0)) if (delimiter >= 0) out.putByte(delimiter);
      any = true;
      out.put(lines.bytes, lines.start, lines.end);
      while (!lines.ends) {
        if (out.length > 0) yield out.take();
        await lines.fill();
        out.put(lines.bytes, lines.start, lines.end);
      }
    }
    if (!any) break;
    for (const delimiter of waiting) if (delimiter >= 0) out.putByte(delimiter);
    out.putByte(separator);
    if (out.full) yield out.take();
  }
  if (out.length > 0) yield out.take();
  for (const operand of opened) await operand.return();
  return status;
}
