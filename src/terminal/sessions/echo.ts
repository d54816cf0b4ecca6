// deno-lint-ignore-file no-control-regex -- this file reads control characters

/**
 * Output of a line editor besides the typed characters: colours, modes for pasted text, white space
 * and control characters.
 */
const DECORATION = /\x1b\[(?:[0-9;]*m|\?2004[hl])|[\s\x00-\x07\x0e-\x1a]|\^[@-_?]/g;

/** Longest typed text, in UTF-16 units, whose echo is looked for in output. */
const SOUGHT = 4096;

/**
 * Distinguishes the echo of typed text from other output, so that a wait for an answer does not end
 * with the echo.
 */
export class Echo {
  readonly #decoder = new TextDecoder();
  #expected = "";

  /** Notes typed text. */
  typed(text: string): void {
    this.#expected += text.replaceAll(/[\s\x00-\x1f\x7f]/g, "");
  }

  /** True if output is nothing but the expected echo. */
  covers(output: Uint8Array): boolean {
    // An echo is short; longer output is an answer in any case.
    if (output.length > 4096 + this.#expected.length * 4) return this.#ends();
    const text = this.#decoder.decode(output).replaceAll(DECORATION, "");
    if (!this.#expected.startsWith(text)) return this.#ends();
    this.#expected = this.#expected.slice(text.length);
    return true;
  }

  #ends(): false {
    this.#expected = "";
    return false;
  }
}

/**
 * True if output matches beyond the echo of typed text. If the typed text itself matches, as with
 * `make; echo DONE`, the output without that echo must match.
 */
export function matchesAnswer(
  matches: (text: string) => boolean,
  output: string,
  typed: string,
): boolean {
  if (!matches(output)) return false;
  const lines = typed.split("\r");
  if (typed === "" || typed.length > SOUGHT || !matches(lines.join("\n"))) return true;
  return matches(withoutEcho(output, lines));
}

/** Output without the first occurrence of each line, which the end of the output may cut. */
function withoutEcho(output: string, lines: readonly string[]): string {
  let kept = "";
  let rest = output;
  for (const line of lines) {
    const word = line.replaceAll(/[\s\x00-\x1f\x7f]/g, "");
    const found = word === "" ? undefined : occurrence(rest, word);
    if (found === undefined) continue;
    kept += rest.slice(0, found.from);
    rest = rest.slice(found.to);
  }
  return kept + rest;
}

/**
 * The position of a word in text, also with white space inside, where a line editor breaks lines.
 */
function occurrence(text: string, word: string): { from: number; to: number } | undefined {
  for (let from = text.indexOf(word.charAt(0)); from >= 0;) {
    let to = from;
    let at = 0;
    while (to < text.length && at < word.length) {
      if (text[to] === word[at]) at++;
      else if (/\S/.test(text.charAt(to))) break;
      to++;
    }
    if (at === word.length || to === text.length) return { from, to };
    from = text.indexOf(word.charAt(0), from + 1);
  }
  return undefined;
}
