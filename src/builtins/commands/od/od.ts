import type { Chunk } from "../../../streams/mod.ts";
import { builtinOf, openOperands } from "../../core/mod.ts";
import type { Builtin, BuiltinIo } from "../../builtin.ts";
import { quoteName } from "../../text/mod.ts";
import { OdDumper } from "./dump.ts";
import { odCommand, type OdSettings, readOdSettings } from "./options.ts";

/** The command `od`; see {@linkcode Builtin}. */
export const od: Builtin = builtinOf(odCommand, readOdSettings, run);

async function* run(
  settings: OdSettings,
  io: BuiltinIo,
): AsyncGenerator<Chunk, number, void> {
  let warnings = settings.warnings;
  const warn = (): void => {
    for (const warning of warnings) io.warn(`od: ${warning}`);
    warnings = [];
  };
  let status = 0;
  let opened = 0;
  let skip = settings.skip;
  const inputs = openOperands(settings.files, io, (_problem, name, why) => {
    // GNU od skips bytes in a folder without an error, and only then fails to read it.
    if (why === "Is a directory") {
      const ends = skip > 0 && settings.limit === 0;
      skip = 0;
      warn();
      if (ends) return;
    }
    io.warn(`od: ${quoteName(name)}: ${why}`);
    status = 1;
  });
  const dumper = new OdDumper(settings);
  let left = settings.limit;
  for await (const input of inputs) {
    opened++;
    if (skip === 0) warn();
    if (skip === 0 && left === 0) break;
    for await (const chunk of input) {
      const from = Math.min(skip, chunk.length);
      skip -= from;
      const to = Math.min(chunk.length, from + left);
      left -= to - from;
      // GNU od warns after the skip, and only if it could open a file.
      if (skip === 0) warn();
      if (to > from) yield* dumper.add(chunk.subarray(from, to));
      if (skip === 0 && left === 0) break;
    }
    if (skip === 0 && left === 0) break;
  }
  if (opened === 0) return 1;
  if (skip > 0) {
    io.warn("od: cannot skip past end of combined input");
    return 1;
  }
  warn();
  yield* dumper.end();
  return status;
}
