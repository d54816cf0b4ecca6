import { compileRegex, RegexError } from "../../../regex/mod.ts";
import { blockSize, TextKernel } from "../../../simd/mod.ts";
import type { Chunk, RandomAccess } from "../../../streams/mod.ts";
import { InvalidArgument, openOperands, parseCommand, standardOptions } from "../../core/mod.ts";
import type { BuiltinIo } from "../../builtin.ts";
import { LineOutput, quoteAlways, quoteName, utf8 } from "../../text/mod.ts";
import type { CommandSpec, ParsedArgument } from "../../../command_line/mod.ts";
import { emacsToExtended } from "./emacs_regex.ts";
import { blocksOf, holdInput, readBlock, Storage } from "../../hold/mod.ts";
import { matchesBackwards, readWhole, type SeparatorPattern } from "./matches.ts";

type Option = "before" | "regex" | "separator" | "help" | "version";

const command: CommandSpec<Option> = {
  name: "tac",
  usage: "[OPTION]... [FILE]...",
  summary: "Print the lines of each FILE in reverse order.\n\n" +
    "Standard input is read where FILE is - or no FILE is given.",
  options: [
    {
      name: "before",
      short: "b",
      long: "before",
      help: "attach separators to the text after them",
    },
    {
      name: "regex",
      short: "r",
      long: "regex",
      help: "the separator is a regular expression",
    },
    {
      name: "separator",
      short: "s",
      long: "separator",
      argument: "required",
      argumentName: "STRING",
      help: "lines end with STRING, not with a newline",
    },
    ...standardOptions,
  ],
};

interface Settings {
  readonly files: readonly string[];
  readonly before: boolean;
  readonly separator: Chunk;
  readonly pattern: SeparatorPattern | undefined;
}

function readSettings(items: Iterable<ParsedArgument<Option>>): Settings {
  const files: string[] = [];
  let before = false;
  let isRegex = false;
  let separator = "\n";
  for (const item of items) {
    if (item.kind === "operand") files.push(item.value);
    else if (item.name === "before") before = true;
    else if (item.name === "regex") isRegex = true;
    else separator = item.value;
  }
  if (!isRegex) {
    const bytes = separator === "" ? new Uint8Array(1) : utf8(separator);
    return { files, before, separator: bytes, pattern: undefined };
  }
  if (separator === "") throw new InvalidArgument("separator cannot be empty");
  try {
    const regex = compileRegex(emacsToExtended(separator), { syntax: "extended", multiline: true });
    const looks = /\$|\\[bB<>']/.test(separator);
    return { files, before, separator: utf8(separator), pattern: { regex, looks } };
  } catch (error) {
    if (error instanceof RegexError) throw new InvalidArgument(error.message);
    throw error;
  }
}

/** The command `tac`; see {@linkcode Builtin}. */
export async function* tac(
  args: readonly string[],
  io: BuiltinIo,
): AsyncGenerator<Chunk, number, void> {
  const parsed = parseCommand(args, io, command, readSettings);
  if (parsed.done) {
    yield* parsed.text;
    return parsed.status;
  }
  const { files, before, separator, pattern } = parsed.settings;
  let status = 0;
  const operands = openOperands(files, io, (problem, name, why) => {
    // GNU's tac seeks to the end of a folder before it reads it.
    const reason = why === "Is a directory" ? "Invalid argument" : why;
    const shown = name === "-" ? "standard input" : name;
    io.warn(
      problem === "open"
        ? `tac: failed to open ${quoteAlways(shown)} for reading: ${why}`
        : `tac: ${quoteName(shown)}: read error: ${reason}`,
    );
    status = 1;
  });
  const storage = new Storage(io);
  for await (const file of operands) {
    const input = await holdInput(file, storage);
    if (!file.failed && input.size > 0) {
      const kernel = before || separator.length > 1 ? undefined : TextKernel.shared;
      if (pattern === undefined && kernel !== undefined) {
        yield* linesBackwards(input, separator, kernel);
      } else if (pattern === undefined) yield* backwards(input, separator, before);
      else yield* matchesBackwards(await readWhole(input), pattern, before, storage);
    }
    await input.close();
  }
  return status;
}

/** The same as {@linkcode backwards} for a separator of one byte after each record. */
async function* linesBackwards(
  input: RandomAccess,
  separator: Chunk,
  kernel: TextKernel,
): AsyncGenerator<Chunk, void, void> {
  const [byte = 0] = separator;
  const buffer: Chunk = new Uint8Array(Math.min(input.size, blockSize));
  const output: Chunk = new Uint8Array(buffer.length);
  for (let end = input.size; end > 0;) {
    const start = Math.max(0, end - buffer.length);
    const block = buffer.subarray(0, end - start);
    await readBlock(input, start, block);
    kernel.load(block, 0, block.length);
    let length = kernel.reverse(block.length, byte);
    const { resume } = kernel;
    output.set(kernel.output.subarray(0, length));
    if (start === 0) {
      output.set(block.subarray(0, resume), length);
      length = block.length;
    }
    if (length > 0) {
      yield output.subarray(0, length);
      end -= length;
    } else {
      const cut = await recordStart(input, byte, start, buffer);
      yield* blocksOf(input, cut, end);
      end = cut;
    }
  }
}

/** Start of the record that contains offset `end`. */
async function recordStart(
  input: RandomAccess,
  separator: number,
  end: number,
  buffer: Chunk,
): Promise<number> {
  while (end > 0) {
    const start = Math.max(0, end - buffer.length);
    const block = buffer.subarray(0, end - start);
    await readBlock(input, start, block);
    const at = block.lastIndexOf(separator);
    if (at >= 0) return start + at + 1;
    end = start;
  }
  return 0;
}

/** Bytes read at once from the end. */
const BLOCK = 256 * 1024;

/** Outputs the records of a file from its end to its start. */
async function* backwards(
  input: RandomAccess,
  separator: Chunk,
  before: boolean,
): AsyncGenerator<Chunk, void, void> {
  const out = new LineOutput();
  const size = separator.length;
  const first = separator[0] as number;
  const buffer: Chunk = new Uint8Array(BLOCK + size);
  /** End of the part that is not output yet, and the latest end of the next separator. */
  let recordEnd = input.size;
  let limit = input.size;
  for (let end = input.size; end > 0;) {
    // A separator that starts in this block may extend into the next one.
    const start = Math.max(0, end - BLOCK);
    const stop = Math.min(input.size, end + size - 1);
    await readBlock(input, start, buffer.subarray(0, stop - start));
    for (let from = Math.min(end - 1, limit - size) - start; from >= 0;) {
      let at = buffer.lastIndexOf(first, from);
      while (at >= 0 && !startsAt(buffer, at, separator)) {
        at = at === 0 ? -1 : buffer.lastIndexOf(first, at - 1);
      }
      if (at < 0) break;
      limit = start + at;
      from = at - size;
      const cut = before ? limit : limit + size;
      // A separator at the end of the file ends its last record.
      if (cut === input.size && !before) continue;
      if (recordEnd <= stop) out.put(buffer, cut - start, recordEnd - start);
      else yield* copy(input, cut, recordEnd, out);
      recordEnd = cut;
      if (out.full) yield out.take();
    }
    end = start;
  }
  yield* copy(input, 0, recordEnd, out);
  if (out.length > 0) yield out.take();
}

/** Outputs a record that is not in memory. */
async function* copy(
  input: RandomAccess,
  from: number,
  to: number,
  out: LineOutput,
): AsyncGenerator<Chunk, void, void> {
  for await (const piece of blocksOf(input, from, to)) {
    out.put(piece);
    if (out.full) yield out.take();
  }
}

function startsAt(bytes: Uint8Array, at: number, text: Uint8Array): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text[i]) return false;
  return true;
}
