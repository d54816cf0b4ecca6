import type { Chunk } from "../../../streams/mod.ts";
import { builtinOf, InvalidArgument, openOperands } from "../../core/mod.ts";
import type { Builtin, BuiltinIo } from "../../builtin.ts";
import { Storage } from "../../hold/mod.ts";
import { defaultBuiltinLimits } from "../../limits.ts";
import { KeptLines } from "./kept_lines.ts";
import { columnCommand, type ColumnSettings, readColumnSettings } from "./options.ts";
import { SideBySide } from "./side_by_side.ts";
import { Table } from "./table.ts";

/** The command `column`; see {@linkcode Builtin}. */
export const column: Builtin = builtinOf(columnCommand, readColumnSettings, run);

/** Goes over the lines twice: how wide each column is, only the last line tells. */
async function* run(
  { files, table: settings, keepEmpty, width, rows }: ColumnSettings,
  io: BuiltinIo,
): AsyncGenerator<Chunk, number, void> {
  const limits = { ...defaultBuiltinLimits, ...io.limits };
  const lines = new KeptLines(new Storage(io), keepEmpty, limits.lineBytes);
  const table = settings === undefined ? undefined : new Table(settings);
  const sideBySide = new SideBySide(width, rows);
  let status = 0;
  const operands = openOperands(files, io, (problem, name, why) => {
    io.warn(`column: ${problem === "open" ? name : "read failed"}: ${why}`);
    status = 1;
  });
  try {
    for await (const file of operands) {
      await lines.add(file, table?.measure ?? sideBySide.measure);
      // As in util-linux, nothing is printed of an input that could not be read to its end.
      if (file.failed) return status;
    }
    yield* table?.rows(lines) ?? sideBySide.print(lines);
    return status;
  } catch (error) {
    if (!(error instanceof InvalidArgument)) throw error;
    io.warn(`column: ${error.message}`);
    return 1;
  } finally {
    await lines.close();
  }
}
