import type { OpenedFiles } from "../../core/mod.ts";

/** The width of the columns, which GNU computes from the sizes of the files before counting. */
export async function measure(
  names: readonly string[],
  columns: number,
  files: OpenedFiles,
): Promise<number> {
  if (names.length === 1 && columns === 1) return 1;
  let least = 1;
  let bytes = 0;
  for (const name of names) {
    const probe = await files.probe(name);
    if ("problem" in probe) continue;
    if (probe.size === undefined) least = 7;
    else bytes += probe.size;
  }
  return Math.max(least, String(bytes).length);
}
