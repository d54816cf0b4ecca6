import type { Chunk } from "../../../streams/mod.ts";
import { builtinOf, errorText, InvalidArgument, isFatal, standardOptions } from "../../core/mod.ts";
import type { Builtin, BuiltinIo } from "../../builtin.ts";
import { type Check, CommError, CommInput } from "./input.ts";
import { LineOutput, quote, utf8 } from "../../text/mod.ts";
import { type CommandSpec, type ParsedArgument, UsageError } from "../../../command_line/mod.ts";

type Option =
  | "1"
  | "2"
  | "3"
  | "check"
  | "nocheck"
  | "delimiter"
  | "total"
  | "zero"
  | "help"
  | "version";

const command: CommandSpec<Option> = {
  name: "comm",
  usage: "[OPTION]... FILE1 FILE2",
  summary: "Print lines only in FILE1 in the first column, lines only in FILE2 in the second, " +
    "and lines in both in the third. One FILE may be -, standard input.",
  options: [
    { name: "1", short: "1", help: "leave out lines only in FILE1" },
    { name: "2", short: "2", help: "leave out lines only in FILE2" },
    { name: "3", short: "3", help: "leave out lines in both" },
    {
      name: "check",
      long: "check-order",
      help: "fail at any line that is out of order",
    },
    {
      name: "nocheck",
      long: "nocheck-order",
      help: "do not check the order of lines",
    },
    {
      name: "delimiter",
      long: "output-delimiter",
      argument: "required",
      argumentName: "STR",
      help: "put STR, not a tab, between columns",
    },
    { name: "total", long: "total", help: "print the numbers of lines at the end" },
    {
      name: "zero",
      short: "z",
      long: "zero-terminated",
      help: "lines end with NUL, not with a newline",
    },
    ...standardOptions,
  ],
  epilogue:
    "Both FILEs must be sorted by bytes, as by sort. By default a line out of order is an " +
    "error only after a line without a match.",
};

interface Settings {
  readonly files: readonly [string, string];
  /** The columns to print. */
  readonly shown: readonly [boolean, boolean, boolean];
  readonly check: Check;
  readonly delimiter: Chunk;
  readonly total: boolean;
  readonly separator: number;
}

function readSettings(items: Iterable<ParsedArgument<Option>>): Settings {
  const files: string[] = [];
  const given = new Set<Option>();
  let check: Check = "unpaired";
  let delimiter: string | undefined;
  for (const item of items) {
    if (item.kind === "operand") {
      files.push(item.value);
      continue;
    }
    given.add(item.name);
    if (item.name === "check") check = "always";
    else if (item.name === "nocheck") check = "never";
    else if (item.name === "delimiter") {
      if (delimiter !== undefined && delimiter !== item.value) {
        throw new InvalidArgument("multiple output delimiters specified");
      }
      delimiter = item.value;
    }
  }
  const [first, second, extra] = files;
  if (first === undefined) throw new UsageError("missing operand");
  if (second === undefined) throw new UsageError(`missing operand after ${quote(first)}`);
  if (extra !== undefined) throw new UsageError(`extra operand ${quote(extra)}`);
  return {
    files: [first, second],
    shown: [!given.has("1"), !given.has("2"), !given.has("3")],
    check,
    delimiter: delimiter === "" ? new Uint8Array(1) : utf8(delimiter ?? "\t"),
    total: given.has("total"),
    separator: given.has("zero") ? 0 : 10,
  };
}

/** The command `comm`; see {@linkcode Builtin}. */
export const comm: Builtin = builtinOf(command, readSettings, run);

async function* run(
  settings: Settings,
  io: BuiltinIo,
): AsyncGenerator<Chunk, number, void> {
  const out = new LineOutput();
  const inputs: CommInput[] = [];
  try {
    for (const name of settings.files) {
      const shared = name === "-" ? inputs.find((input) => input.name === "-") : undefined;
      inputs.push(await CommInput.open(name, io, settings, shared));
    }
    const [left, right] = inputs;
    if (left !== undefined && right !== undefined) {
      yield* compare(left, right, settings, out);
    }
  } catch (error) {
    if (isFatal(error, io.signal)) throw error;
    if (out.length > 0) yield out.take();
    io.warn(`comm: ${error instanceof CommError ? error.message : errorText(error)}`);
    return 1;
  }
  if (out.length > 0) yield out.take();
  if (settings.files.every((name) => name === "-")) {
    io.warn("comm: -: Bad file descriptor");
    return 1;
  }
  if (inputs.some((input) => input.disordered)) {
    io.warn("comm: input is not in sorted order");
    return 1;
  }
  return 0;
}

async function* compare(
  left: CommInput,
  right: CommInput,
  { shown, delimiter, total, separator }: Settings,
  out: LineOutput,
): AsyncGenerator<Chunk, void, void> {
  const counts: [number, number, number] = [0, 0, 0];
  const inputs = [left, right];
  let order = 0;
  for (;;) {
    if (order <= 0 && !left.step(inputs)) await left.fill(inputs);
    if (order >= 0 && !right.step(inputs)) await right.fill(inputs);
    if (left.ended && right.ended) break;
    order = left.ended ? 1 : right.ended ? -1 : left.line.compare(right.line);
    const column = order === 0 ? 2 : order < 0 ? 0 : 1;
    if (column < 2) left.unpaired = right.unpaired = true;
    counts[column]++;
    if (!shown[column]) continue;
    if (column > 0 && shown[0]) out.put(delimiter);
    if (column > 1 && shown[1]) out.put(delimiter);
    const { line } = column === 1 ? right : left;
    out.put(line.bytes, line.start, line.end);
    out.putByte(separator);
    if (out.full || left.mayWait || right.mayWait) yield out.take();
  }
  // GNU comm fails when it closes its input twice, and reports that before the summary.
  if (!total || (left.name === "-" && right.name === "-")) return;
  for (const count of counts) {
    out.putNumber(count, 0);
    // GNU comm prints the delimiter as a C string, which ends at the NUL of an empty delimiter.
    if (delimiter[0] !== 0) out.put(delimiter);
  }
  out.put(utf8("total"));
  out.putByte(separator);
}
