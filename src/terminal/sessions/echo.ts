// deno-lint-ignore-file no-control-regex -- they are what this reads

/** What a line editor writes besides the characters: colours, and how it takes pasted text. */
const DECORATION = /\x1b\[(?:[0-9;]*m|\?2004[hl])|[\s\x00-\x07\x0e-\x1a]|\^[@-_?]/g;

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
