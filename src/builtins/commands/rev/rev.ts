import type { Chunk } from "../../../streams/mod.ts";
import { builtinOf, openOperands, operandsOf } from "../../core/mod.ts";
import type { Builtin, BuiltinIo } from "../../builtin.ts";
import { Storage } from "../../hold/mod.ts";
import { LinePieces } from "../../text/mod.ts";
import type { CommandSpec } from "../../../command_line/mod.ts";
import { LineReverser, putReversed } from "./lines.ts";

const command: CommandSpec<"help" | "version"> = {
  name: "rev",
  usage: "[OPTION]... [FILE]...",
  summary:
    "Print each line of each FILE with its characters in reverse order. A byte that is not " +
    "part of a character counts as one.",
  abbreviationOrder: ["version", "help"],
  options: [
    { name: "help", short: "h", long: "help", help: "show this help" },
    { name: "version", short: "V", long: "version", help: "show the version" },
  ],
};

/**
 * The command `rev` of util-linux; see {@linkcode Builtin}. Lines longer than a few MiB go to
 * temporary storage.
 */
export const rev: Builtin = builtinOf(command, operandsOf, run);

async function* run(
  names: readonly string[],
  io: BuiltinIo,
): AsyncGenerator<Chunk, number, void> {
  let status = 0;
  let line = 0;
  // For rev, a dash is a file name.
  const paths = names.map((name) => name === "-" ? "./-" : name);
  const files = openOperands(paths, io, (problem, path, why) => {
    const name = path === "./-" ? "-" : path;
    const opened = problem === "read";
    io.warn(opened ? `rev: ${name}: ${line}: ${why}` : `rev: cannot open ${name}: ${why}`);
    status = 1;
  });
  const reverser = new LineReverser(new Storage(io));
  const { out } = reverser;
  for await (const file of files) {
    line = 0;
    const lines = new LinePieces(file);
    for (;;) {
      if (!lines.step()) {
        if (out.length > 0) yield out.take();
        if (!await lines.fill()) break;
      }
      const { bytes, start, end } = lines;
      if (lines.begins && lines.ends) putReversed(bytes, start, end, out);
      else yield* reverser.add(bytes.subarray(start, end), lines.ends);
      if (lines.ends) line++;
      if (lines.terminated) out.putByte(10);
      if (out.full) yield out.take();
    }
  }
  return status;
}
