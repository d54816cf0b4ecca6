import { isStandardOutput } from "./same_file.ts";

/**
 * Ends a regular file where it ended at first if standard output is appended to it, as in
 * `llmcmd ... notes.md >> notes.md`: a command that copies it would read its own output on and on.
 * Other files are read as far as they have grown.
 */
export class OwnOutput {
  readonly #input: string | 0;
  readonly #size: number;
  #isOutput: boolean | undefined;

  /** The file is at a path, or is standard input (0), and had `size` bytes when it was opened. */
  constructor(input: string | 0, size: number) {
    this.#input = input;
    this.#size = size;
  }

  /** How many of the bytes `read` at `offset` count. */
  limit(offset: number, read: number): number {
    // Those in /proc have size 0 and are not empty.
    if (offset + read <= this.#size || this.#size === 0) return read;
    this.#isOutput ??= isStandardOutput(this.#input);
    return this.#isOutput ? Math.max(0, this.#size - offset) : read;
  }
}
