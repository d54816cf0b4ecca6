import type { Chunk } from "../../../streams/mod.ts";
import {
  builtinOf,
  INTMAX,
  InvalidArgument,
  openOperands,
  standardOptions,
} from "../../core/mod.ts";
import type { Builtin, BuiltinIo } from "../../builtin.ts";
import { Base64Decoder, Base64Encoder } from "./codec.ts";
import { type CommandSpec, type ParsedArgument, UsageError } from "../../../command_line/mod.ts";
import { quote, quoteName } from "../../text/mod.ts";

type Option = "decode" | "ignoreGarbage" | "wrap" | "help" | "version";

const command: CommandSpec<Option> = {
  name: "base64",
  usage: "[OPTION]... [FILE]",
  summary: "Encode FILE as base64 text (RFC 4648), or decode such text.\n\n" +
    "Standard input is read where FILE is - or no FILE is given.",
  abbreviationOrder: ["decode", "wrap", "ignore-garbage"],
  options: [
    { name: "decode", short: "d", long: "decode", help: "decode text to bytes" },
    {
      name: "ignoreGarbage",
      short: "i",
      long: "ignore-garbage",
      help: "with -d, skip bytes outside of the base64 alphabet instead of failing",
    },
    {
      name: "wrap",
      short: "w",
      long: "wrap",
      argument: "required",
      argumentName: "COLS",
      help: "characters in a line (default 76); 0 writes a single line",
    },
    ...standardOptions,
  ],
  epilogue:
    "Decoding ignores newlines. At the first other byte outside of the alphabet it ends with " +
    "status 1, after writing the bytes before it.",
};

interface Settings {
  readonly file: string;
  readonly decode: boolean;
  readonly ignoreGarbage: boolean;
  /** Columns of a line; 0 for one long line. */
  readonly wrap: number;
}

function readSettings(items: Iterable<ParsedArgument<Option>>): Settings {
  const files: string[] = [];
  let decode = false;
  let ignoreGarbage = false;
  let wrap = 76;
  for (const item of items) {
    if (item.kind === "operand") files.push(item.value);
    else if (item.name === "decode") decode = true;
    else if (item.name === "ignoreGarbage") ignoreGarbage = true;
    else if (item.name === "wrap") wrap = readWrap(item.value);
  }
  if (files[1] !== undefined) throw new UsageError(`extra operand ${quote(files[1])}`);
  return { file: files[0] ?? "-", decode, ignoreGarbage, wrap };
}

/** Reads a number of columns; one beyond C's `intmax_t` means no limit. */
function readWrap(text: string): number {
  const [, digits] = /^[ \t\n\v\f\r]*(?:\+?|-(?=0+$))(\d+)$/.exec(text) ?? [];
  if (digits === undefined) throw new InvalidArgument(`invalid wrap size: ${quote(text)}`);
  return BigInt(digits) > INTMAX ? 0 : Number(digits);
}

/** The command `base64`; see {@linkcode Builtin}. */
export const base64: Builtin = builtinOf(command, readSettings, run);

async function* run(
  { file, decode, ignoreGarbage, wrap }: Settings,
  io: BuiltinIo,
): AsyncGenerator<Chunk, number, void> {
  const coder = decode ? new Base64Decoder(ignoreGarbage) : new Base64Encoder(wrap);
  let status = 0;
  const inputs = openOperands([file], io, (problem, name, why) => {
    io.warn(`base64: ${problem === "open" ? quoteName(name) : "read error"}: ${why}`);
    status = 1;
  });
  for await (const input of inputs) {
    for await (const chunk of input) {
      yield* coder.code(chunk);
      if (coder.failed) break;
    }
    // After a read error GNU base64 prints no further message.
    if (status === 0 && !coder.failed) yield* coder.end();
  }
  if (coder.failed) {
    io.warn("base64: invalid input");
    status = 1;
  }
  return status;
}
