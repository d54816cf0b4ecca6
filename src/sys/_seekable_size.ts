/**
 * The size of a file that is open for writing; `undefined` for a FIFO or a terminal, which have no
 * place to seek to. Without `--allow-read` Deno tells nothing else of a file, not even of an open one.
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
