/**
 * Size of a file that is open for writing; `undefined` for a FIFO or a terminal, which cannot seek.
 * Without `--allow-read` Deno reveals nothing else, not even about an open file.
 */
export function seekableSize(file: Deno.FsFile): number | undefined {
  try {
    const size = file.seekSync(0, Deno.SeekMode.End);
    file.seekSync(0, Deno.SeekMode.Start);
    return size;
  } catch {
    return undefined;
  }
}
