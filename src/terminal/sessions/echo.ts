// deno-lint-ignore-file no-control-regex -- they are what this reads

/** What a line editor writes besides the characters: colours, and how it takes pasted text. */
const DECORATION = /\x1b\[(?:[0-9;]*m|\?2004[hl])|[\s\x00-\x07\x0e-\x1a]|\^[@-_?]/g;

/** UTF-16 units of typed text whose echo is looked for in output. */
const SOUGHT = 4096;

/**
 * Tells the echo of what was typed from what comes of it: whoever waits for an answer does not wait
 * for the echo.
 */
export class Echo {
  readonly #decoder = new TextDecoder();
  #expected = "";

  /** This was typed. */
  typed(text: string): void {
    this.#expected += text.replaceAll(/[\s\x00-\x1f\x7f]/g, "");
  }

  /** Whether output is nothing but the echo that is expected. */
  covers(output: Uint8Array): boolean {
    // It is short; what is longer is an answer in any case.
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
 * Whether output matches by more than the echo of what was typed: a pattern that is in the typed
 * text itself, as in `make; echo DONE`, must match in what comes of it.
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

/** Where text has a word, with white space in between where a line editor breaks its lines. */
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
