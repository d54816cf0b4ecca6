import type { Chunk } from "../../../streams/mod.ts";
import { builtinOf, openOperands, standardOptions } from "../../core/mod.ts";
import type { Builtin, BuiltinIo } from "../../builtin.ts";
import { ByteShower } from "./shower.ts";
import { findByte, LineCounter, Output, quoteName } from "../../text/mod.ts";
import type { CommandSpec, ParsedArgument } from "../../../command_line/mod.ts";

type Option = "A" | "b" | "e" | "E" | "n" | "s" | "t" | "T" | "u" | "v" | "help" | "version";

const command: CommandSpec<Option> = {
  name: "cat",
  usage: "[OPTION]... [FILE]...",
  summary: "Copy each FILE to standard output, one after another.\n\n" +
    "Standard input is read where FILE is - or no FILE is given.",
  abbreviationOrder: [
    "number-nonblank",
    "number",
    "squeeze-blank",
    "show-nonprinting",
    "show-ends",
    "show-tabs",
    "show-all",
  ],
  options: [
    { name: "A", short: "A", long: "show-all", help: "the same as -v, -E and -T" },
    {
      name: "b",
      short: "b",
      long: "number-nonblank",
      help: "number lines that are not empty; overrides -n",
    },
    { name: "e", short: "e", help: "the same as -v and -E" },
    { name: "E", short: "E", long: "show-ends", help: "print $ at the end of each line" },
    { name: "n", short: "n", long: "number", help: "number all lines" },
    {
      name: "s",
      short: "s",
      long: "squeeze-blank",
      help: "reduce adjacent empty lines to one",
    },
    { name: "t", short: "t", help: "the same as -v and -T" },
    { name: "T", short: "T", long: "show-tabs", help: "print tabs as ^I" },
    { name: "u", short: "u", help: "has no effect" },
    {
      name: "v",
      short: "v",
      long: "show-nonprinting",
      help: "print control characters except newline and tab as ^X, and bytes beyond ASCII as M-X",
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
/** Room for a line number, and for a byte with the text around it. */
const RESERVE = 64;
/** Largest piece that is copied at once: less than `Output` passes on without a copy. */
const PIECE = 8192;

/** Numbers, squeezes and shows bytes; its state continues across chunks and files. */
class Formatter {
  readonly #settings: Settings;
  readonly #out = new Output();
  readonly #counter = new LineCounter({
    first: 1n,
    width: 6,
    padding: 32,
    suffix: Uint8Array.of(9),
  });
  /** Converts bytes, if some are shown in another form. */
  readonly #shower: ByteShower | undefined;
  /** True if the text around lines depends on earlier lines. */
  readonly #byLines: boolean;
  #atLineStart = true;
  #blankBefore = false;
  /** End of the current line in the chunk. */
  #end = 0;

  constructor(settings: Settings) {
    this.#settings = settings;
    const { number, ends, squeeze, tabs, nonprinting } = settings;
    this.#byLines = number !== "none" || squeeze;
    if (ends || tabs || nonprinting) this.#shower = new ByteShower(settings);
  }

  *format(chunk: Chunk): Generator<Chunk, void, void> {
    const out = this.#out;
    this.#end = 0;
    for (let at = 0; at < chunk.length;) {
      at = this.#byLines ? this.#fill(chunk, at) : this.#piece(chunk, at, chunk.length);
      // Output is passed on at the end of each chunk, so that readers of a slow source see all of
      // it.
      if (out.length > 0) yield out.take();
    }
  }

  /** Returns the output that is left at the end of the last file. */
  *end(): Generator<Chunk, void, void> {
    if (this.#shower?.heldCr === true) yield Uint8Array.of(CR);
  }

  /**
   * Processes lines of the chunk until the output's block is nearly full; returns the offset to
   * continue from.
   */
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
      if (this.#end <= at) {
        const found = findByte(chunk, LF, at);
        this.#end = found < 0 ? chunk.length : found + 1;
      }
      const end = this.#end;
      at = this.#piece(chunk, at, end);
      this.#atLineStart = at === end && chunk[at - 1] === LF;
    }
    return at;
  }

  /** Writes as much of `chunk[from..end)` as fits; returns the offset to continue from. */
  #piece(chunk: Chunk, from: number, end: number): number {
    const out = this.#out;
    if (this.#shower !== undefined) return this.#shower.show(chunk, from, end, out);
    const stop = Math.min(end, from + Math.min(out.room, PIECE));
    out.put(chunk, from, stop);
    return stop;
  }
}
