import { utf8 } from "./_output.ts";

/** A patch that cannot be used: GNU's message, without `patch: **** `. */
export class PatchError extends Error {
  override readonly name = "PatchError";
}

/** What `patch` has to say, until it is taken. */
export class Talk {
  /** Whether to say no more than needed (`-s`), or all that is being done (`--verbose`). */
  readonly silent: boolean;
  readonly verbose: boolean;
  #text = "";

  /** Has nothing to say yet. */
  constructor(flags: { has(name: "silent" | "verbose"): boolean }) {
    this.silent = flags.has("silent");
    this.verbose = flags.has("verbose");
  }

  /** Says something. */
  say(text: string): void {
    this.#text += text;
  }

  /** How much there is to take, in characters. */
  get size(): number {
    return this.#text.length;
  }

  /** Takes what was said. */
  take(): Uint8Array<ArrayBuffer> {
    const text = this.#text;
    this.#text = "";
    return utf8(text);
  }
}
