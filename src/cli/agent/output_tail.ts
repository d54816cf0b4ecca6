import { clip, withoutControls } from "../../base/mod.ts";

/** Most characters of a line that are kept. */
const MOST_CHARACTERS = 500;

/** The last lines of a command's output, as a terminal would show them. */
export class OutputTail {
  readonly #most: number;
  readonly #decoder = new TextDecoder();
  #lines: string[] = [];
  /** The line that has no end yet. */
  #last = "";

  /** Keeps at most `most` lines. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Adds a chunk of the output. */
  add(chunk: Uint8Array): void {
    const parts = this.#decoder.decode(chunk, { stream: true }).split("\n");
    const last = parts.pop() ?? "";
    // Earlier lines are out of sight by then.
    for (const part of parts.slice(-this.#most - 1)) {
      this.#lines.push(shown(this.#last + part));
      this.#last = "";
    }
    this.#lines = this.#lines.slice(-this.#most);
    this.#last = kept(this.#last + last);
  }

  /** The kept lines; the last one only if it is not blank. */
  get lines(): string[] {
    const last = shown(this.#last);
    return [...this.#lines, ...last.trim() === "" ? [] : [last]].slice(-this.#most);
  }
}

/** Drops what a carriage return overwrites, as progress bars rewrite their line. */
function kept(line: string): string {
  const from = line.trimEnd().lastIndexOf("\r");
  const rest = from > 0 ? line.slice(from) : line;
  return rest.length > 4 * MOST_CHARACTERS ? clip(rest, 4 * MOST_CHARACTERS) : rest;
}

/** A line as its last carriage return leaves it, without colours and other control sequences. */
function shown(line: string): string {
  const text = line
    // deno-lint-ignore no-control-regex
    .replace(/\x1b(\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(\x07|\x1b\\)?|[ -/]*[0-~])/g, "")
    .replace(/\r+$/, "");
  const visible = text.slice(text.lastIndexOf("\r") + 1);
  return withoutControls(clip(visible, MOST_CHARACTERS)).replaceAll("\t", "    ").trimEnd();
}
