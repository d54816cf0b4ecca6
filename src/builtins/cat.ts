import type { Chunk } from "../streams/mod.ts";
import type { Builtin, BuiltinIo } from "./builtin.ts";
import { builtinOf, standardOptions } from "./_command.ts";
import { openOperands } from "./_operands.ts";
import type { CommandSpec, ParsedArgument } from "./options.ts";
import { Output } from "./_output.ts";
import { quoteName } from "./_quote.ts";

type Option = "A" | "b" | "e" | "E" | "n" | "s" | "t" | "T" | "u" | "v" | "help" | "version";

const command: CommandSpec<Option> = {
  name: "cat",
  usage: "[OPTION]... [FILE]...",
  summary: "Concatenate FILE(s) to standard output.\n\n" +
    "With no FILE, or when FILE is -, read standard input.",
  abbreviationOrder: ["squeeze-blank", "show-nonprinting", "show-ends", "show-tabs", "show-all"],
  options: [
    { name: "A", short: "A", long: "show-all", help: "equivalent to -vET" },
    {
      name: "b",
      short: "b",
      long: "number-nonblank",
      help: "number nonempty output lines, overrides -n",
    },
    { name: "e", short: "e", help: "equivalent to -vE" },
    { name: "E", short: "E", long: "show-ends", help: "display $ at end of each line" },
    { name: "n", short: "n", long: "number", help: "number all output lines" },
    { name: "s", short: "s", long: "squeeze-blank", help: "suppress repeated empty output lines" },
    { name: "t", short: "t", help: "equivalent to -vT" },
    { name: "T", short: "T", long: "show-tabs", help: "display TAB characters as ^I" },
    { name: "u", short: "u", help: "(ignored)" },
    {
      name: "v",
      short: "v",
      long: "show-nonprinting",
      help: "use ^ and M- notation, except for LFD and TAB",
    },
    ...standardOptions,
  ],
};

interface Settings {
  readonly files: readonly string[];
  readonly number: "none" | "all" | "nonblank";
  readonly ends: boolean;
  readonly squeeze: boolean;
  readonly tabs: boolean;
  readonly nonprinting: boolean;
}

function readSettings(items: Iterable<ParsedArgument<Option>>): Settings {
  const files: string[] = [];
  const given = new Set<Option>();
  for (const item of items) {
    if (item.kind === "operand") files.push(item.value);
    else given.add(item.name);
  }
  const any = (...names: Option[]): boolean => names.some((name) => given.has(name));
  return {
    files,
    number: any("b") ? "nonblank" : any("n") ? "all" : "none",
    ends: any("E", "e", "A"),
    squeeze: any("s"),
    tabs: any("T", "t", "A"),
    nonprinting: any("v", "e", "t", "A"),
  };
}

/** The command `cat`; see {@linkcode Builtin}. */
export const cat: Builtin = builtinOf(command, readSettings, run);

async function* run(
  settings: Settings,
  io: BuiltinIo,
): AsyncGenerator<Chunk, number, void> {
  const { number, ends, squeeze, tabs, nonprinting } = settings;
  const plain = number === "none" && !ends && !squeeze && !tabs && !nonprinting;
  const formatter = plain ? undefined : new Formatter(settings);
  let status = 0;
  const files = openOperands(settings.files, io, (_problem, name, why) => {
    io.warn(`cat: ${quoteName(name)}: ${why}`);
    status = 1;
  });
  for await (const file of files) {
    for await (const chunk of file) {
      if (formatter === undefined) yield chunk;
      else yield* formatter.format(chunk);
    }
  }
  if (formatter !== undefined) yield* formatter.end();
  return status;
}

const LF = 10;
const CR = 13;
const CARET_M = Uint8Array.of(94, 77);
const DOLLAR = Uint8Array.of(36);
const NEWLINE = Uint8Array.of(LF);

/** Numbers, squeezes and shows; its state goes on from chunk to chunk and from file to file. */
class Formatter {
  readonly #settings: Settings;
  readonly #out = new Output();
  readonly #counter = new LineCounter();
  /** How each byte is shown, or `undefined` if all bytes are shown as they are. */
  readonly #shown: readonly Uint8Array[] | undefined;
  /** Whether lines are put out as they are, apart from what stands around them. */
  readonly #asIs: boolean;
  #atLineStart = true;
  #blankBefore = false;
  /** A CR at the end of a chunk: `-E` shows it as ^M if a newline follows. */
  #heldCr = false;

  constructor(settings: Settings) {
    this.#settings = settings;
    if (settings.nonprinting || settings.tabs) this.#shown = shownBytes(settings);
    this.#asIs = this.#shown === undefined && !settings.ends;
  }

  *format(chunk: Chunk): Generator<Chunk, void, void> {
    const { number, ends, squeeze } = this.#settings;
    const out = this.#out;
    for (let at = 0; at < chunk.length;) {
      if (this.#atLineStart) {
        const blank = chunk[at] === LF;
        if (blank && squeeze && this.#blankBefore) {
          at++;
          continue;
        }
        this.#blankBefore = blank;
        this.#atLineStart = false;
        if (number === "all" || (number === "nonblank" && !blank)) {
          const label = this.#counter.next();
          if (!out.put(label)) yield* out.spill(label);
        }
      }
      const found = chunk.indexOf(LF, at);
      const end = found < 0 ? chunk.length : found;
      if (this.#asIs) {
        if (end > at && !out.put(chunk, at, end)) yield* out.spill(chunk, at, end);
      } else {
        yield* this.#body(chunk, at, end, found >= 0);
      }
      if (found >= 0) {
        if (ends && !out.put(DOLLAR)) yield* out.spill(DOLLAR);
        if (!out.putByte(LF)) yield* out.spill(NEWLINE);
        this.#atLineStart = true;
      }
      at = end + 1;
    }
    // Passed on at once: whoever reads a slow source sees what there is.
    if (out.length > 0) yield out.take();
  }

  /** What is left at the end of the last file. */
  *end(): Generator<Chunk, void, void> {
    if (this.#heldCr) yield Uint8Array.of(CR);
  }

  *#put(bytes: Chunk): Generator<Chunk, void, void> {
    if (!this.#out.put(bytes)) yield* this.#out.spill(bytes);
  }

  /** Puts out what stands before a newline, or before the end of the chunk. */
  *#body(chunk: Chunk, from: number, end: number, complete: boolean): Generator<Chunk, void, void> {
    const out = this.#out;
    const watchCr = this.#settings.ends && !this.#settings.nonprinting;
    if (this.#heldCr) {
      this.#heldCr = false;
      yield* this.#put(complete && end === from ? CARET_M : Uint8Array.of(CR));
    }
    let to = end;
    let caret = false;
    if (watchCr && to > from && chunk[to - 1] === CR) {
      to--;
      if (complete) caret = true;
      else this.#heldCr = true;
    }
    if (this.#shown === undefined) {
      if (to > from && !out.put(chunk, from, to)) yield* out.spill(chunk, from, to);
    } else {
      yield* this.#show(chunk, from, to, this.#shown);
    }
    if (caret) yield* this.#put(CARET_M);
  }

  *#show(
    chunk: Chunk,
    from: number,
    to: number,
    shown: readonly Uint8Array[],
  ): Generator<Chunk, void, void> {
    const out = this.#out;
    while (from < to) {
      if (out.room < 4) yield out.take();
      const stop = Math.min(to, from + (out.room >> 2));
      const { bytes } = out;
      let at = out.length;
      for (; from < stop; from++) {
        const as = shown[chunk[from] as number] as Uint8Array;
        for (let i = 0; i < as.length; i++) bytes[at++] = as[i] as number;
      }
      out.length = at;
    }
  }
}

/** How each byte is shown with `-v` and `-T`: at most 4 bytes, `M-^?`. */
function shownBytes({ nonprinting, tabs }: Settings): readonly Uint8Array[] {
  return Array.from({ length: 256 }, (_, byte) => {
    if (byte === 9) return tabs ? Uint8Array.of(94, 73) : Uint8Array.of(9);
    if (!nonprinting || byte === LF) return Uint8Array.of(byte);
    const low = byte & 127;
    const visible = low < 32 ? [94, low + 64] : low === 127 ? [94, 63] : [low];
    return Uint8Array.from(byte < 128 ? visible : [77, 45, ...visible]);
  });
}

/** Line numbers as text: right-aligned in 6 columns, followed by a tab. */
class LineCounter {
  #text: Chunk = new Uint8Array([32, 32, 32, 32, 32, 48, 9]);

  next(): Chunk {
    const text = this.#text;
    for (let i = text.length - 2; i >= 0; i--) {
      const digit = text[i] as number;
      if (digit === 57) {
        text[i] = 48;
        continue;
      }
      text[i] = digit === 32 ? 49 : digit + 1;
      return text;
    }
    this.#text = new Uint8Array(text.length + 1);
    this.#text.set([49, ...text]);
    return this.#text;
  }
}
