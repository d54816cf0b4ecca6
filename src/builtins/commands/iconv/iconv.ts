import type { ByteSink, Chunk } from "../../../streams/mod.ts";
import {
  builtinOf,
  errorText,
  InvalidArgument,
  isFatal,
  openOperands,
  type Operand,
} from "../../core/mod.ts";
import type { Builtin, BuiltinIo } from "../../builtin.ts";
import { blocksOf, HeldBytes, Storage } from "../../hold/mod.ts";
import { quoteName, utf8 } from "../../text/mod.ts";
import { encodingNames, findEncoding } from "./encodings.ts";
import { type ConversionFault, Converter } from "./converter.ts";
import { type Conversion, iconvCommand, type IconvSettings, readIconvSettings } from "./options.ts";

/** The command `iconv`; see {@linkcode Builtin}. */
export const iconv: Builtin = builtinOf(iconvCommand, readIconvSettings, run);

async function* run(
  { files, conversion, output }: IconvSettings,
  io: BuiltinIo,
): AsyncGenerator<Chunk, number, void> {
  if (conversion === undefined) {
    yield utf8(list());
    return 0;
  }
  const ends: Ends = { status: 0 };
  const chunks = converted(files, conversion, io, ends);
  if (output === undefined) yield* chunks;
  else {
    try {
      await write(output, files.includes(output) ? await whole(chunks, ends, io) : chunks, io);
    } catch (error) {
      if (!(error instanceof InvalidArgument)) throw error;
      io.warn(`iconv: ${error.message}`);
      return 1;
    }
  }
  return ends.status;
}

/**
 * Reads all input before any output is written, for an output file that is also an input.
 *
 * @throws {InvalidArgument} If the conversion failed: then the file must stay as it is.
 */
async function whole(
  chunks: AsyncIterable<Chunk>,
  ends: Ends,
  io: BuiltinIo,
): Promise<AsyncIterable<Chunk>> {
  const held = new HeldBytes(new Storage(io));
  for await (const chunk of chunks) await held.add(chunk);
  if (ends.status !== 0) throw new InvalidArgument("the file was left as it was");
  return blocksOf(await held.finish());
}

/** Lists the names of all encodings, one encoding a line, and marks those that can only be read. */
function list(): string {
  return encodingNames.map((names) => {
    const readOnly = findEncoding(names[0] ?? "")?.encoder === undefined;
    return `${names.join(" ")}${readOnly ? " (from only)" : ""}\n`;
  }).join("");
}

/** Exit status of a conversion. */
interface Ends {
  status: number;
}

async function* converted(
  files: readonly string[],
  conversion: Conversion,
  io: BuiltinIo,
  ends: Ends,
): AsyncGenerator<Chunk, void, void> {
  const operands = openOperands(files, io, (problem, name, why) => {
    io.warn(
      problem === "open"
        ? `iconv: cannot open input file \`${name}': ${why}`
        : `iconv: error while reading the input: ${why}`,
    );
    ends.status = 1;
  });
  for await (const file of operands) {
    const fault = yield* convertFile(file, conversion);
    if (fault !== undefined) {
      ends.status = 1;
      io.warn(`iconv: ${messageOf(fault)}`);
    }
    // As in glibc's iconv, only a file that cannot be opened is skipped.
    if (fault !== undefined || file.failed) return;
  }
}

function messageOf({ kind, position }: ConversionFault): string {
  return kind === "illegal"
    ? `illegal input sequence at position ${position}`
    : "incomplete character or shift sequence at end of buffer";
}

async function* convertFile(
  file: Operand,
  conversion: Conversion,
): AsyncGenerator<Chunk, ConversionFault | undefined, void> {
  const converter = new Converter(conversion);
  for await (const chunk of file) {
    for (const piece of converter.convert(chunk)) yield piece;
    if (converter.fault !== undefined) return converter.fault;
  }
  return file.failed ? undefined : converter.end();
}

/** Writes chunks to a file. */
async function write(path: string, source: AsyncIterable<Chunk>, io: BuiltinIo): Promise<void> {
  let sink: ByteSink | undefined;
  try {
    for await (const chunk of source) {
      sink ??= await create(path, io);
      await sink.write(chunk);
    }
    sink ??= await create(path, io);
  } catch (error) {
    if (error instanceof InvalidArgument || isFatal(error, io.signal)) throw error;
    throw new InvalidArgument(`unable to write the output: ${errorText(error)}`);
  } finally {
    await sink?.close();
  }
}

async function create(path: string, io: BuiltinIo): Promise<ByteSink> {
  try {
    if (io.create === undefined) throw new Error("Files cannot be written here");
    return await io.create(path);
  } catch (error) {
    if (isFatal(error, io.signal)) throw error;
    throw new InvalidArgument(`cannot open output file ${quoteName(path)}: ${errorText(error)}`);
  }
}
