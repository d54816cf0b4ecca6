/** The answer of a CLI that printed nothing. */
export const noOutput = "No output from CLI.";

/** Collects the last block of lines that are not blank, without keeping earlier blocks. */
export class LastBlock {
  #block: string[] = [];
  #ended = false;

  /** Adds a line without its line break. */
  line(text: string): void {
    if (text.trim() === "") {
      this.#ended = true;
      return;
    }
    if (this.#ended) this.#block = [];
    this.#ended = false;
    this.#block.push(text);
  }

  /** The block, trimmed; empty if all lines were blank. */
  text(): string {
    return this.#block.join("\n").trim();
  }
}

/**
 * Extracts the answer from the output of a CLI without a driver: the last block of lines that are
 * not blank, trimmed, or {@linkcode noOutput}.
 *
 * It shortens answers of several paragraphs to the last one; drivers avoid that by reading the
 * CLI's own events.
 *
 * @example
 * ```ts
 * import { normaliseOutput } from "@llmcmd/llmcmd/cliagent";
 *
 * const answer = normaliseOutput("loading...\ntool: ls\n\n  The answer\nis 42. \n\n");
 * if (answer !== "The answer\nis 42.") throw new Error(answer);
 * ```
 */
export function normaliseOutput(stdout: string): string {
  const last = new LastBlock();
  for (const line of stdout.split(/\r?\n/)) last.line(line);
  return last.text() || noOutput;
}
