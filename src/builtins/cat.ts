import type { Chunk } from "../streams/mod.ts";
import type { Builtin, BuiltinIo } from "./builtin.ts";
import { builtinOf, standardOptions } from "./_command.ts";
import { findByte } from "./_line_cursor.ts";
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
const CARET = 94;
const CAPITAL_M = 77;
const DOLLAR = 36;
/** Room for a line number, and for a byte and what stands around it. */
const RESERVE = 64;
/** The largest piece that is copied at once: less than what `Output` passes on as it is. */
const PIECE = 8192;

/** Numbers, squeezes and shows; its state goes on from chunk to chunk and from file to file. */
class Formatter {
  readonly #settings: Settings;
  readonly #out = new Output();
  readonly #counter = new LineCounter();
  /** How each byte is shown. */
  readonly #shown: readonly Uint8Array[];
  /** 1 for bytes that are shown as they are, and are nothing special. */
  readonly #plain: Uint8Array;
  /** Whether lines are put out as they are, apart from what stands around them. */
  readonly #asIs: boolean;
  #atLineStart = true;
  #blankBefore = false;
  /** A CR at the end of a chunk: `-E` shows it as ^M if a newline follows. */
  #heldCr = false;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#shown = shownBytes(settings);
    this.#plain = Uint8Array.from(
      this.#shown,
      (as, byte) => as.length === 1 && as[0] === byte && byte !== LF && byte !== CR ? 1 : 0,
    );
    this.#asIs = !settings.nonprinting && !settings.tabs && !settings.ends;
  }

  *format(chunk: Chunk): Generator<Chunk, void, void> {
    const out = this.#out;
    for (let at = 0; at < chunk.length;) {
      at = this.#fill(chunk, at);
      // Passed on at the chunk's end too: whoever reads a slow source sees what there is.
      if (out.length > 0) yield out.take();
    }
  }

  /** What is left at the end of the last file. */
  *end(): Generator<Chunk, void, void> {
    if (this.#heldCr) yield Uint8Array.of(CR);
  }

  /** Takes bytes of the chunk until the output's block is nearly full; gives where to go on. */
  #fill(chunk: Chunk, from: number): number {
    const { number, squeeze } = this.#settings;
    const out = this.#out;
    let at = from;
    while (at < chunk.length && out.room > RESERVE) {
      if (this.#atLineStart) {
        const blank = chunk[at] === LF;
        if (blank && squeeze && this.#blankBefore) {
          at++;
          continue;
        }
        this.#blankBefore = blank;
        this.#atLineStart = false;
        if (number === "all" || (number === "nonblank" && !blank)) out.put(this.#counter.next());
      }
      at = this.#asIs ? this.#copy(chunk, at) : this.#show(chunk, at);
    }
    return at;
  }

  /** Copies the rest of the line, its end too, as far as it fits. */
  #copy(chunk: Chunk, from: number): number {
    const out = this.#out;
    const found = findByte(chunk, LF, from);
    const end = found < 0 ? chunk.length : found + 1;
    const stop = Math.min(end, from + Math.min(out.room, PIECE));
    out.put(chunk, from, stop);
    this.#atLineStart = found >= 0 && stop === end;
    return stop;
  }

  /** Shows the rest of the line, its end too, as far as it fits. */
  #show(chunk: Chunk, from: number): number {
    const { ends, nonprinting } = this.#settings;
    const out = this.#out;
    const shown = this.#shown;
    const plain = this.#plain;
    const { bytes } = out;
    const watchCr = ends && !nonprinting;
    // A byte becomes four at the most, and a `$` stands before the newline.
    const stop = Math.min(chunk.length, from + ((out.room - 4) >> 2));
    let to = out.length;
    let at = from;
    if (this.#heldCr) {
      this.#heldCr = false;
      if (chunk[at] === LF) {
        bytes[to++] = CARET;
        bytes[to++] = CAPITAL_M;
      } else bytes[to++] = CR;
    }
    while (at < stop) {
      const byte = chunk[at++] as number;
      if (plain[byte] === 1) {
        bytes[to++] = byte;
      } else if (byte === LF) {
        if (ends) bytes[to++] = DOLLAR;
        bytes[to++] = LF;
        this.#atLineStart = true;
        break;
      } else if (byte === CR && watchCr) {
        if (at === chunk.length) this.#heldCr = true;
        else if (chunk[at] !== LF) bytes[to++] = CR;
        else {
          bytes[to++] = CARET;
          bytes[to++] = CAPITAL_M;
        }
      } else {
        const as = shown[byte] as Uint8Array;
        for (let i = 0; i < as.length; i++) bytes[to++] = as[i] as number;
      }
    }
    out.length = to;
    return at;
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
