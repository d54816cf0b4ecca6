import type { PatchInput } from "./files.ts";
import type { FilePatch } from "./heading.ts";
import type { PatchSettings } from "./command.ts";
import type { Talk } from "./talk.ts";
import { quoteName } from "../../text/mod.ts";

/**
 * Decides the direction of one patch, and if it is applied at all. There is no terminal here:
 * questions are answered as GNU patch does without one.
 */
export class Direction {
  /** True if the patch is applied from its new side to its old one. */
  reverse: boolean;
  /** True if the patch is skipped: its hunks are read and rejected. */
  skip = false;
  /** True if it is applied although it looks reversed. */
  anyway = false;
  readonly #flags: PatchSettings["flags"];
  readonly #talk: Talk;

  /** Starts with the options' settings. */
  constructor({ flags }: PatchSettings, talk: Talk) {
    this.#flags = flags;
    this.#talk = talk;
    this.reverse = flags.has("reverse");
  }

  /**
   * The patch's statement about the file before it is applied or, with `after`, about the result;
   * see {@linkcode FilePatch}.
   */
  saysNonexistent(patch: FilePatch, after = false): number {
    return (this.reverse !== after ? patch.new : patch.old).nonexistent;
  }

  /**
   * Asks if a patch that creates or deletes a file is reversed, when the file is not as the patch
   * expects. Returns true if it asked.
   */
  asksAboutFile(patch: FilePatch, name: string, input: PatchInput | "missing"): boolean {
    const missing = input === "missing";
    const empty = missing || input.bytes.size === 0;
    if ((empty ? 0 : 1) >= this.saysNonexistent(patch, empty)) return false;
    if (
      empty && this.saysNonexistent(patch, missing) === 1 &&
      this.saysNonexistent(patch, !missing) === 2
    ) return false;
    const [would, which] = missing
      ? ["delete", "does not exist"]
      : empty
      ? ["empty out", "is already empty"]
      : ["create", "already exists"];
    const yes = this.#ask(
      `The next patch${this.reverse ? ", when reversed," : ""} would ${would} the file ` +
        `${quoteName(name)},\nwhich ${which}!`,
    );
    if (yes) this.reverse = !this.reverse;
    return true;
  }

  /** True if a first hunk that does not fit may be tried reversed. */
  get mayBeReversed(): boolean {
    return !this.#flags.has("force") && !this.anyway &&
      this.reverse === this.#flags.has("reverse");
  }

  /** Asks about a hunk that fits when reversed; true if the patch is to be reversed. */
  asksAboutHunk(): boolean {
    const what = this.reverse ? "Unreversed" : "Reversed (or previously applied)";
    const yes = this.#ask(`${what} patch detected!`);
    if (yes) this.reverse = !this.reverse;
    else this.anyway = true;
    return yes;
  }

  #ask(question: string): boolean {
    const flags = this.#flags;
    const { silent } = this.#talk;
    const say = (text: string): void => this.#talk.say(text);
    if (flags.has("forward") || !(flags.has("force") && silent)) say(question);
    if (flags.has("forward")) {
      say("  Skipping patch.\n");
      this.skip = true;
      return false;
    }
    if (flags.has("force")) {
      if (!silent) say("  Applying it anyway.\n");
      return false;
    }
    if (flags.has("batch")) {
      say(`  ${this.reverse ? "Ignoring" : "Assuming"} -R.\n`);
      return true;
    }
    say(`  ${this.reverse ? "Ignore" : "Assume"} -R? [n] \nApply anyway? [n] \n`);
    if (!silent) say("Skipping patch.\n");
    this.skip = true;
    return false;
  }
}
