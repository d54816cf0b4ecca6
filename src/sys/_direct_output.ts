import { FileSink, type Writable } from "./file_sink.ts";
import type { OutputFile } from "./output_file.ts";

/**
 * Output to a FIFO, a device or a descriptor of this process: written bytes cannot be taken back.
 * With `keepOpen`, closing leaves it open.
 */
export class DirectOutput extends FileSink implements OutputFile {
  readonly path: string;
  readonly partial: undefined = undefined;
  readonly before = 0;
  readonly inPlace: undefined = undefined;

  constructor(path: string, file: Writable, { keepOpen = false } = {}) {
    super(file, { name: path, keepOpen });
    this.path = path;
  }
}
