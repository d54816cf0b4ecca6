import { FileSink } from "./file_sink.ts";
import type { OutputFile } from "./output_file.ts";

/** A FIFO or a device: what is written cannot be taken back. */
export class DirectOutput extends FileSink implements OutputFile {
  readonly path: string;
  readonly partial: undefined = undefined;
  readonly before = 0;

  constructor(path: string, file: Deno.FsFile) {
    super(file, { name: path });
    this.path = path;
  }
}
