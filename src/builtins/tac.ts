import { compileRegex, type Regex, RegexError } from "../regex/mod.ts";
import { type Chunk, LimitError, type RandomAccess } from "../streams/mod.ts";
import type { BuiltinIo } from "./builtin.ts";
import { InvalidArgument, parseCommand, standardOptions } from "./_command.ts";
import { LineOutput } from "./_line_output.ts";
import { openOperands } from "./_operands.ts";
import type { CommandSpec, ParsedArgument } from "./options.ts";
import { utf8 } from "./_output.ts";
import { quoteAlways, quoteName } from "./_quote.ts";
import { emacsToExtended } from "./_emacs_regex.ts";
import { blocksOf, HeldBytes, holdInput, readFully, Storage } from "./_held_bytes.ts";

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
  const storage = new Storage(io);
  for await (const file of operands) {
    const input = await holdInput(file, storage);
    if (!file.failed && input.size > 0) {
      if (regex === undefined) yield* backwards(input, separator, before);
      else yield* matchesBackwards(await readWhole(input), regex, before, storage);
    }
    await input.close();
  }
  return status;
}

/** What is read at once from the end, in bytes. */
const BLOCK = 256 * 1024;

/** Puts out the records of a file from its end to its start. */
async function* backwards(
  input: RandomAccess,
  separator: Chunk,
  before: boolean,
): AsyncGenerator<Chunk, void, void> {
  const out = new LineOutput();
  const size = separator.length;
  const first = separator[0] as number;
  const buffer: Chunk = new Uint8Array(BLOCK + size);
  /** What is not yet put out ends here, and the next separator at the latest there. */
  let recordEnd = input.size;
  let limit = input.size;
  for (let end = input.size; end > 0;) {
    // A separator that starts in this block may reach into the one after it.
    const start = Math.max(0, end - BLOCK);
    const stop = Math.min(input.size, end + size - 1);
    await readFully(input, start, buffer.subarray(0, stop - start));
    for (let from = Math.min(end - 1, limit - size) - start; from >= 0;) {
      let at = buffer.lastIndexOf(first, from);
      while (at >= 0 && !startsAt(buffer, at, separator)) {
        at = at === 0 ? -1 : buffer.lastIndexOf(first, at - 1);
      }
      if (at < 0) break;
      limit = start + at;
      from = at - size;
      const cut = before ? limit : limit + size;
      // The separator that ends the file ends its last record.
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

/** Puts out a record that is not in memory. */
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

/** The most that `-r` searches at once, in bytes: a separator may be anywhere, and of any length. */
const MAX_REGEX_INPUT = 32 * 1024 * 1024;

/**
 * Reads a whole input into memory.
 *
 * @throws {LimitError} If it is too large for that.
 */
async function readWhole(input: RandomAccess): Promise<Chunk> {
  if (input.size > MAX_REGEX_INPUT) {
    throw new LimitError(
      { name: "tac -r input size", max: MAX_REGEX_INPUT },
      `The input is longer than the ${MAX_REGEX_INPUT} bytes that tac -r takes; ` +
        "use a fixed separator or cut the input",
    );
  }
  const bytes = new Uint8Array(input.size);
  await readFully(input, 0, bytes);
  return bytes;
}

/** Where separators begin and end, which is gone through from the last to the first. */
class Separators {
  readonly #held: HeldBytes;
  readonly #block = new Int32Array(8192);
  #count = 0;

  constructor(storage: Storage) {
    this.#held = new HeldBytes(storage);
  }

  /** Adds one; true says that there must be a `flush` before the next. */
  add(start: number, end: number): boolean {
    this.#block[this.#count++] = start;
    this.#block[this.#count++] = end;
    return this.#count === this.#block.length;
  }

  async flush(): Promise<void> {
    await this.#held.add(new Uint8Array(this.#block.buffer, 0, 4 * this.#count));
    this.#count = 0;
  }

  async *backwards(): AsyncGenerator<readonly [number, number], void, void> {
    await this.flush();
    const input = await this.#held.finish();
    const block = this.#block;
    for (let end = input.size; end > 0;) {
      const size = Math.min(4 * block.length, end);
      end -= size;
      await readFully(input, end, new Uint8Array(block.buffer, 0, size));
      for (let i = (size >> 2) - 2; i >= 0; i -= 2) {
        yield [block[i] as number, block[i + 1] as number];
      }
    }
    await input.close();
  }
}

/**
 * Puts out the records of a text from its end to its start. As GNU's tac does, it looks for the
 * last place where a separator begins, so that `[0-9]+` finds one digit at a time.
 */
async function* matchesBackwards(
  text: Chunk,
  regex: Regex,
  before: boolean,
  storage: Storage,
): AsyncGenerator<Chunk, void, void> {
  const separators = new Separators(storage);
  for (let from = 0; from <= text.length;) {
    const match = from === 0
      ? regex.find(text, 0, text.length)
      : regex.find(text, 0, text.length, from);
    if (match === null) break;
    const [at = 0, end = 0] = match;
    // An empty separator cuts, too; there is nothing to cut at the end.
    if (at < text.length && separators.add(at, end)) await separators.flush();
    from = at + 1;
  }
  let recordEnd = text.length;
  /** Where the separator after it begins. */
  let limit = text.length;
  let first = true;
  for await (const [at, found] of separators.backwards()) {
    let end = found;
    if (end > limit) {
      // It reaches into the separator after it: only a shorter one is left.
      const [start = -1, shorter = -1] = regex.find(text, at, limit) ?? [];
      if (start !== at || shorter < at) continue;
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
