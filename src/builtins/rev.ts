import { nextSymbol } from "../regex/mod.ts";
import type { Chunk } from "../streams/mod.ts";
import type { Builtin, BuiltinIo } from "./builtin.ts";
import { builtinOf, operandsOf } from "./_command.ts";
import { LineCursor } from "./_line_cursor.ts";
import { LineOutput } from "./_line_output.ts";
import { openOperands } from "./_operands.ts";
import type { CommandSpec } from "./options.ts";

const command: CommandSpec<"help" | "version"> = {
  name: "rev",
  usage: "[options] [file ...]",
  summary: "Reverse lines characterwise. A byte that is no character counts as one.",
  options: [
    { name: "help", short: "h", long: "help", help: "display this help" },
    { name: "version", short: "V", long: "version", help: "display version" },
  ],
};

/** The command `rev` of util-linux; see {@linkcode Builtin}. */
export const rev: Builtin = builtinOf(command, operandsOf, run);

async function* run(
  names: readonly string[],
  io: BuiltinIo,
): AsyncGenerator<Chunk, number, void> {
  let status = 0;
  let line = 0;
  // For rev a dash is a file's name.
  const paths = names.map((name) => name === "-" ? "./-" : name);
  const files = openOperands(paths, io, (problem, path, why) => {
    const name = path === "./-" ? "-" : path;
    const opened = problem === "read";
    io.warn(opened ? `rev: ${name}: ${line}: ${why}` : `rev: cannot open ${name}: ${why}`);
    status = 1;
  });
  const out = new LineOutput();
  for await (const file of files) {
    line = 0;
    const lines = new LineCursor(file);
    while (lines.step() || await lines.fill()) {
      line++;
      reverse(lines.bytes, lines.start, lines.end, out);
      if (lines.terminated) out.putByte(10);
      if (out.full || (out.length > 0 && lines.mayWait)) yield out.take();
    }
  }
  return status;
}

/** Puts out the characters of a stretch of UTF-8 from its end to its start. */
function reverse(bytes: Uint8Array, start: number, end: number, out: LineOutput): void {
  for (let at = end; at > start;) {
    let from = at - 1;
    if ((bytes[from] as number) >= 0x80) {
      while (from > start && at - from < 4 && ((bytes[from] as number) & 0xc0) === 0x80) from--;
      // Only a whole character may be put out as it is.
      while (from < at - 1 && nextSymbol(bytes, from, end) !== at) from++;
    }
    out.put(bytes, from, at);
    at = from;
  }
}
