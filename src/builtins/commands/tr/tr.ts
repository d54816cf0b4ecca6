import type { Chunk } from "../../../streams/mod.ts";
import { errorText, isFatal, parseCommand, standardOptions } from "../../core/mod.ts";
import type { BuiltinIo } from "../../builtin.ts";
import { type CommandSpec, type ParsedArgument, UsageError } from "../../../command_line/mod.ts";
import { asciiQuotes, quote } from "../../text/mod.ts";
import { planTr, type TrOptions, type TrPlan } from "./plan.ts";
import { parseSet } from "./sets.ts";

type Option = "complement" | "delete" | "squeeze" | "truncate" | "ascii" | "help" | "version";

const command: CommandSpec<Option> = {
  name: "tr",
  usage: "[OPTION]... STRING1 [STRING2]",
  summary:
    "Copy standard input to standard output. Each byte of STRING1 becomes the byte at the same " +
    "position in STRING2, whose last byte is repeated as needed.",
  stopAtOperand: true,
  options: [
    {
      name: "complement",
      short: "c",
      long: "complement",
      help: "use all bytes that are not in STRING1",
    },
    { name: "complement", short: "C", help: "the same" },
    // Undocumented: the C locale, which only affects messages.
    { name: "ascii", short: "A" },
    {
      name: "delete",
      short: "d",
      long: "delete",
      help: "delete the bytes of STRING1",
    },
    {
      name: "squeeze",
      short: "s",
      long: "squeeze-repeats",
      help: "finally reduce each run of a byte in the last STRING to one",
    },
    {
      name: "truncate",
      short: "t",
      long: "truncate-set1",
      help: "first truncate STRING1 to the length of STRING2",
    },
    ...standardOptions,
  ],
  epilogue: [
    "A STRING consists of plain bytes and these constructs:",
    "  \\NNN        the byte with this octal number of up to 3 digits",
    "  \\\\ \\a \\b \\f \\n \\r \\t \\v  the same characters as in C",
    "  A-Z         all bytes from A to Z",
    "  [C*]        in STRING2, C repeated up to the length of STRING1",
    "  [C*N]       in STRING2, C repeated N times; N is octal if it begins with 0",
    "  [:CLASS:]   alnum, alpha, blank, cntrl, digit, graph, lower, print, punct,",
    "              space, upper or xdigit",
    "  [=C=]       C itself",
    "A character beyond ASCII is several bytes, as in GNU tr. The command y of sed replaces " +
    "characters.",
  ].join("\n"),
};

interface Settings extends TrOptions {
  readonly strings: readonly string[];
}

function readSettings(
  items: Iterable<ParsedArgument<Option>>,
  useAscii: () => void,
): Settings {
  const strings: string[] = [];
  const given = new Set<Option>();
  for (const item of items) {
    if (item.kind === "operand") strings.push(item.value);
    else if (item.name === "ascii") useAscii();
    else given.add(item.name);
  }
  const [deleting, squeeze] = [given.has("delete"), given.has("squeeze")];
  const least = deleting === squeeze ? 2 : 1;
  const most = deleting && !squeeze ? 1 : 2;
  const last = strings.at(-1);
  if (strings.length < least) {
    if (last === undefined) throw new UsageError("missing operand");
    throw new UsageError(
      `missing operand after ${quote(last)}\nTwo strings must be given when ` +
        (squeeze ? "both deleting and squeezing repeats." : "translating."),
    );
  }
  if (strings.length > most) {
    const hint = strings.length === 2
      ? "\nOnly one string may be given when deleting without squeezing repeats."
      : "";
    throw new UsageError(`extra operand ${quote(strings[most] ?? "")}${hint}`);
  }
  return {
    strings,
    complement: given.has("complement"),
    delete: deleting,
    squeeze,
    truncate: given.has("truncate"),
  };
}

/** The command `tr`; see {@linkcode Builtin}. */
export async function* tr(
  args: readonly string[],
  io: BuiltinIo,
): AsyncGenerator<Chunk, number, void> {
  let ascii = false;
  const warn = (message: string): void => io.warn(ascii ? asciiQuotes(message) : message);
  const parsed = parseCommand(args, { ...io, warn }, command, (items): TrPlan => {
    const settings = readSettings(items, () => ascii = true);
    const [string1 = [], string2] = settings.strings
      .map((text) => parseSet(text, (message) => warn(`tr: ${message}`)));
    return planTr(string1, string2, settings);
  });
  if (parsed.done) {
    yield* parsed.text;
    return parsed.status;
  }
  const change = changer(parsed.settings);
  try {
    for await (const chunk of io.stdin) yield change(chunk);
  } catch (error) {
    if (isFatal(error, io.signal)) throw error;
    io.warn(`tr: read error: ${errorText(error)}`);
    return 1;
  }
  return 0;
}

/** Returns the function that changes a chunk; its result is valid until its next call. */
function changer(plan: TrPlan): (chunk: Chunk) => Chunk {
  let buffer: Chunk = new Uint8Array(0);
  const room = (chunk: Chunk): Chunk => {
    if (buffer.length < chunk.length) buffer = new Uint8Array(Math.max(chunk.length, 65536));
    return buffer;
  };
  const { translate, delete: deleted, squeeze } = plan;
  if (deleted === undefined && squeeze === undefined) {
    const translator = new Translator(translate ?? new Uint8Array(256));
    return (chunk) => translator.change(chunk, room(chunk));
  }
  if (squeeze === undefined && deleted !== undefined) {
    const kept = deleted.map((is) => 1 - is);
    return (chunk) => {
      const out = room(chunk);
      let length = 0;
      for (let i = 0; i < chunk.length; i++) {
        const byte = chunk[i] as number;
        out[length] = byte;
        length += kept[byte] as number;
      }
      return out.subarray(0, length);
    };
  }
  if (deleted === undefined && translate === undefined && squeeze !== undefined) {
    return squeezer(squeeze, room);
  }
  const table = translate ?? Uint8Array.from({ length: 256 }, (_, byte) => byte);
  const kept = (deleted ?? new Uint8Array(256)).map((is) => 1 - is);
  const once = squeeze ?? new Uint8Array(256);
  let last = 256;
  return (chunk) => {
    const out = room(chunk);
    let length = 0;
    for (let i = 0; i < chunk.length; i++) {
      const from = chunk[i] as number;
      const keep = kept[from] as number;
      const byte = table[from] as number;
      out[length] = byte;
      // Branchless: 1 if the byte equals the last one.
      const again = ((byte ^ last) - 1) >>> 31;
      length += keep & ~(again & (once[byte] as number));
      last = keep === 1 ? byte : last;
    }
    return out.subarray(0, length);
  };
}

/** Keeps only the first of equal neighbours, for bytes with a 1 in `once`. */
function squeezer(once: Uint8Array, room: (chunk: Chunk) => Chunk): (chunk: Chunk) => Chunk {
  let last = 256;
  return (chunk) => {
    const out = room(chunk);
    let length = 0;
    for (let i = 0; i < chunk.length; i++) {
      const byte = chunk[i] as number;
      out[length] = byte;
      // Branchless: 1 if the byte equals the last one.
      length += 1 - ((((byte ^ last) - 1) >>> 31) & (once[byte] as number));
      last = byte;
    }
    return out.subarray(0, length);
  };
}

/** Number of bytes from which on a table of pairs pays. */
const PAIRS_FROM = 256 * 1024;

/** Translates with a table of 256 bytes, and with one of 65,536 pairs of bytes for long inputs. */
class Translator {
  readonly #table: Uint8Array;
  #pairs: Uint16Array | undefined;
  #seen = 0;

  constructor(table: Uint8Array) {
    this.#table = table;
  }

  change(chunk: Chunk, out: Chunk): Chunk {
    const table = this.#table;
    this.#seen += chunk.length;
    if (this.#seen > PAIRS_FROM) this.#pairs ??= pairsOf(table);
    let at = 0;
    if (this.#pairs !== undefined && (chunk.byteOffset & 1) === 0) {
      const pairs = this.#pairs;
      const count = chunk.length >> 1;
      const from = new Uint16Array(chunk.buffer, chunk.byteOffset, count);
      const to = new Uint16Array(out.buffer, out.byteOffset, count);
      for (let i = 0; i < count; i++) to[i] = pairs[from[i] as number] as number;
      at = count * 2;
    }
    for (; at < chunk.length; at++) out[at] = table[chunk[at] as number] as number;
    return out.subarray(0, chunk.length);
  }
}

/** The translation of each pair of bytes; the same for both byte orders. */
function pairsOf(table: Uint8Array): Uint16Array {
  const pairs = new Uint16Array(65536);
  for (let pair = 0; pair < pairs.length; pair++) {
    pairs[pair] = ((table[pair >> 8] as number) << 8) | (table[pair & 255] as number);
  }
  return pairs;
}
