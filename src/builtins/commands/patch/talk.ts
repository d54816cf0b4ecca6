import { utf8 } from "../../text/mod.ts";
import { byteText, textBytes } from "./text.ts";

/** A patch that cannot be used. The message is GNU's, without `patch: **** `. */
export class PatchError extends Error {
  override readonly name = "PatchError";
}

/** Collects the messages of `patch`. */
export class Talk {
  /** `silent` reports only what is necessary (`-s`); `verbose` reports every hunk (`--verbose`). */
  readonly silent: boolean;
  readonly verbose: boolean;
  /** The messages, with one character for each byte. */
  #text = "";

  /** Starts empty. */
  constructor(flags: { has(name: "quiet" | "verbose"): boolean }) {
    this.silent = flags.has("quiet");
    this.verbose = flags.has("verbose");
  }

  /** Adds a message. */
  say(text: string): void {
    this.sayBytes(byteText(utf8(text)));
  }

  /** Adds a message with one character for each byte. */
  sayBytes(text: string): void {
    this.#text += text;
  }

  /** Size of the messages in bytes. */
  get size(): number {
    return this.#text.length;
  }

  /** Returns and clears the messages. */
  take(): Uint8Array<ArrayBuffer> {
    const text = this.#text;
    this.#text = "";
    return textBytes(text);
  }
}
