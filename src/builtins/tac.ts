import { compileRegex, type Regex, RegexError } from "../regex/mod.ts";
import type { Chunk, RandomAccess } from "../streams/mod.ts";
import type { BuiltinIo } from "./builtin.ts";
import { InvalidArgument, parseCommand, standardOptions } from "./_command.ts";
import { LineOutput } from "./_line_output.ts";
import { openOperands } from "./_operands.ts";
import type { CommandSpec, ParsedArgument } from "./options.ts";
import { utf8 } from "./_output.ts";
import { quoteAlways, quoteName } from "./_quote.ts";
import { emacsToExtended } from "./_emacs_regex.ts";
import { holdAll, readWhole } from "./_whole_input.ts";

type Option = "before" | "regex" | "separator" | "help" | "version";

const command: CommandSpec<Option> = {
  name: "tac",
  usage: "[OPTION]... [FILE]...",
  summary: "Write each FILE to standard output, last line first.\n\n" +
    "With no FILE, or when FILE is -, read standard input.",
  options: [
    {
      name: "before",
      short: "b",
      long: "before",
      help: "attach the separator before instead of after",
    },
    {
      name: "regex",
      short: "r",
      long: "regex",
      help: "interpret the separator as a regular expression",
    },
    {
      name: "separator",
      short: "s",
      long: "separator",
      argument: "required",
      argumentName: "STRING",
      help: "use STRING as the separator instead of newline",
    },
    ...standardOptions,
  ],
};

interface Settings {
  readonly files: readonly string[];
  readonly before: boolean;
  readonly separator: Chunk;
  readonly regex: Regex | undefined;
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
    return { files, before, separator: bytes, regex: undefined };
  }
  if (separator === "") throw new InvalidArgument("separator cannot be empty");
  try {
    const regex = compileRegex(emacsToExtended(separator), { syntax: "extended", multiline: true });
    return { files, before, separator: utf8(separator), regex };
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
  const { files, before, separator, regex } = parsed.settings;
  let status = 0;
  const operands = openOperands(files, io, (problem, name, why) => {
    // GNU's tac looks for the end of a folder before it reads it.
    const reason = why === "Is a directory" ? "Invalid argument" : why;
    const shown = name === "-" ? "standard input" : name;
    io.warn(
      problem === "open"
        ? `tac: failed to open ${quoteAlways(shown)} for reading: ${why}`
        : `tac: ${quoteName(shown)}: read error: ${reason}`,
    );
    status = 1;
  });
  for await (const file of operands) {
    const input = file.at ?? await holdAll(file, io);
    if (file.failed || input.size === 0) continue;
    if (regex === undefined) yield* backwards(input, separator, before);
    else yield* matchesBackwards(await readWhole(input), regex, before);
  }
  return status;
}

/** What is read at once from the end, in bytes; more where records are longer. */
const BLOCK = 64 * 1024;

/** Puts out the records of a file from its end to its start. */
async function* backwards(
  input: RandomAccess,
  separator: Chunk,
  before: boolean,
): AsyncGenerator<Chunk, void, void> {
  const out = new LineOutput();
  const size = separator.length;
  const first = separator[0] as number;
  let buffer: Chunk = new Uint8Array(BLOCK * 2);
  /** The buffer's end holds what is not yet put out: `buffer[start..end)`, read from `offset` on. */
  let end = buffer.length;
  let start = end;
  let offset = input.size;
  /** Where in the buffer the next separator must end at the latest. */
  let limit = end;
  while (offset > 0) {
    const held = end - start;
    const wanted = Math.min(offset, Math.max(BLOCK, held));
    const grown = held + wanted > buffer.length ? new Uint8Array((held + wanted) * 2) : buffer;
    // What is held moves to the end, so that the block before it fits in.
    const shift = grown.length - end;
    grown.set(buffer.subarray(start, end), grown.length - held);
    buffer = grown;
    limit += shift;
    end = grown.length;
    start = end - held - wanted;
    offset -= wanted;
    await fill(input, offset, buffer.subarray(start, start + wanted));
    const isLast = offset + (end - start) === input.size;
    let recordEnd = end;
    for (;;) {
      const from = limit - size;
      let at = from < start ? -1 : buffer.lastIndexOf(first, from);
      while (at >= start && !startsAt(buffer, at, separator)) {
        at = at === 0 ? -1 : buffer.lastIndexOf(first, at - 1);
      }
      if (at < start) {
        limit = Math.max(Math.min(limit, start + size - 1), start);
        break;
      }
      limit = at;
      const cut = before ? at : at + size;
      // The separator that ends the file ends its last record.
      if (before || cut < recordEnd || !(isLast && recordEnd === end)) {
        out.put(buffer, cut, recordEnd);
        recordEnd = cut;
      }
      if (out.full) yield out.take();
    }
    end = recordEnd;
  }
  out.put(buffer, start, end);
  if (out.length > 0) yield out.take();
}

function startsAt(bytes: Uint8Array, at: number, text: Uint8Array): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text[i]) return false;
  return true;
}

/** Reads until the block is full. */
async function fill(input: RandomAccess, offset: number, into: Chunk): Promise<void> {
  for (let done = 0; done < into.length;) {
    const count = await input.read(offset + done, into.subarray(done));
    if (count === 0) throw new Error("The file has become shorter while it was read");
    done += count;
  }
}

/**
 * Puts out the records of a text from its end to its start. As GNU's tac does, it looks for the
 * last place where a separator begins, so that `[0-9]+` finds one digit at a time.
 */
function* matchesBackwards(
  text: Chunk,
  regex: Regex,
  before: boolean,
): Generator<Chunk, void, void> {
  const starts: number[] = [];
  const ends: number[] = [];
  for (let from = 0; from <= text.length;) {
    const match = from === 0
      ? regex.find(text, 0, text.length)
      : regex.find(text, 0, text.length, from);
    if (match === null) break;
    const [at = 0, end = 0] = match;
    // An empty separator cuts, too; there is nothing to cut at the end.
    if (at < text.length) {
      starts.push(at);
      ends.push(end);
    }
    from = at + 1;
  }
  let recordEnd = text.length;
  /** Where the separator after it begins. */
  let limit = text.length;
  let first = true;
  for (let i = starts.length - 1; i >= 0; i--) {
    const at = starts[i] as number;
    let end = ends[i] as number;
    if (end > limit) {
      // It reaches into the separator after it: only a shorter one is left.
      const [found = -1, shorter = -1] = regex.find(text, at, limit) ?? [];
      if (found !== at || shorter < at) continue;
      end = shorter;
    }
    limit = at;
    const cut = before ? at : end;
    if (before || !first || cut !== recordEnd) {
      if (cut < recordEnd) yield text.subarray(cut, recordEnd);
      recordEnd = cut;
    }
    first = false;
  }
  if (recordEnd > 0) yield text.subarray(0, recordEnd);
}
