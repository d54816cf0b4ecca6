import { utf8 } from "../../text/mod.ts";
import { byteText, textBytes } from "./text.ts";

/** A patch that cannot be used: GNU's message, without `patch: **** `. */
export class PatchError extends Error {
  override readonly name = "PatchError";
}

/** What `patch` has to say, until it is taken. */
export class Talk {
  /** Whether to say no more than needed (`-s`), or to tell of every hunk (`--verbose`). */
  readonly silent: boolean;
  readonly verbose: boolean;
  /** Each character is one byte. */
  #text = "";

  /** Has nothing to say yet. */
  constructor(flags: { has(name: "quiet" | "verbose"): boolean }) {
    this.silent = flags.has("quiet");
    this.verbose = flags.has("verbose");
  }

  /** Says something. */
  say(text: string): void {
    this.sayBytes(byteText(utf8(text)));
  }

  /** Says a text in which each character is one byte. */
  sayBytes(text: string): void {
    this.#text += text;
  }

  /** How much there is to take, in bytes. */
  get size(): number {
    return this.#text.length;
  }

  /** Takes what was said. */
  take(): Uint8Array<ArrayBuffer> {
    const text = this.#text;
    this.#text = "";
    return textBytes(text);
  }
}
