import { isStandardOutput } from "./same_file.ts";

/**
 * Stops reading a regular file at its original end if standard output is appended to it, as in
 * `llmcmd ... notes.md >> notes.md`: otherwise the command would read its own output forever. Other
 * files are read as far as they have grown.
 */
export class OwnOutput {
  readonly #input: string | 0;
  readonly #size: number;
  #isOutput: boolean | undefined;

  /** `input`: path of the file, or 0 for standard input. `size`: its bytes when it was opened. */
  constructor(input: string | 0, size: number) {
    this.#input = input;
    this.#size = size;
  }

  /** Number of the `read` bytes at `offset` that count. */
  limit(offset: number, read: number): number {
    // Files in /proc have size 0 but are not empty.
    if (offset + read <= this.#size || this.#size === 0) return read;
    this.#isOutput ??= isStandardOutput(this.#input);
    return this.#isOutput ? Math.max(0, this.#size - offset) : read;
  }
}
