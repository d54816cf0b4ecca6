/** The answer of a CLI that printed nothing. */
export const noOutput = "No output from CLI.";

/** Collects the last block of lines that are not blank, without keeping the blocks before it. */
export class LastBlock {
  #block: string[] = [];
  #ended = false;

  /** Takes a line without its end. */
  line(text: string): void {
    if (text.trim() === "") {
      this.#ended = true;
      return;
    }
    if (this.#ended) this.#block = [];
    this.#ended = false;
    this.#block.push(text);
  }

  /** The block, trimmed; empty where all was blank. */
  text(): string {
    return this.#block.join("\n").trim();
  }
}

/**
 * The answer in the output of a CLI that no driver knows: the last block of lines that are not blank,
 * trimmed, or {@linkcode noOutput}.
 *
 * It cuts answers of several paragraphs, so that drivers read the CLI's own events.
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
