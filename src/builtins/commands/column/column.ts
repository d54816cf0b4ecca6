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

/** Reads the lines twice, as the widths of columns are known only after the last line. */
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
      // As in util-linux, nothing is printed if an input could not be read completely.
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
