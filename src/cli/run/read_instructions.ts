import { UsageError } from "../../command_line/mod.ts";
import { type ByteSource, LimitError, limitSource, toReadable } from "../../streams/mod.ts";
import { FileError, openInputFile, stdinSource } from "../../sys/mod.ts";
import type { Instructions } from "./instructions.ts";

/** Most bytes of a file of instructions: more than any model reads at once. */
const MOST_BYTES = 1024 * 1024;

/**
 * Reads the text of the instructions. Line breaks at the end of a file are removed, as a shell does
 * for `$(cat FILE)`.
 *
 * @throws {FileError} The file can't be read, is not UTF-8 text, or is longer than 1 MiB.
 * @throws {PermissionError} `--allow-read` does not cover the file.
 * @throws {UsageError} The file is empty.
 */
export async function readInstructions(
  instructions: Instructions,
  signal: AbortSignal,
): Promise<string> {
  if ("text" in instructions) return instructions.text;
  const { file } = instructions;
  const name = file === "-" ? "standard input" : file;
  const source = file === "-" ? stdinSource() : await openInputFile(file, signal);
  const text = (await readText(source, name, signal)).replace(/[\r\n]+$/, "");
  if (text.trim() === "") throw new UsageError(`the instructions in ${name} are empty`);
  return text;
}

async function readText(source: ByteSource, name: string, signal: AbortSignal): Promise<string> {
  const refuse = (why: string) => new FileError(`read the instructions from ${name}`, name, why);
  const limited = limitSource(source, { name: "instructions", max: MOST_BYTES });
  const bytes = toReadable(limited).pipeThrough(new TransformStream(), { signal });
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await new Response(bytes).bytes());
  } catch (error) {
    if (error instanceof LimitError) throw refuse(`they have more than ${MOST_BYTES} bytes`);
    if (error instanceof TypeError) throw refuse("they are not UTF-8 text");
    throw error;
  }
}
