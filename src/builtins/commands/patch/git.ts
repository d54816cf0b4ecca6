import { PatchError } from "./talk.ts";

/** Whether a file of each side should not exist: 2, or not exist or be empty: 1. */
export type Nonexistent = 0 | 1 | 2;

const TYPE = 0o170000;
const REGULAR = 0o100000;
/** What a new file gets. */
const USUAL = 0o100644;
const EMPTY_FILE = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";

/** The lines that git puts between `diff --git` and a patch's hunks. */
export class GitHeading {
  /** Whether there were any. */
  found = false;
  /** What they say of the two files. */
  readonly nonexistent: [Nonexistent, Nonexistent] = [0, 0];
  readonly #modes: [number, number] = [0, 0];
  readonly #moves = new Map<string, number>();
  /** The line that tells of modes, and its number. */
  #modeLine = "";
  #modeNumber = 0;

  /** Takes a line, if it is one of them. */
  take(line: string, number: number): void {
    const [, word = "", rest = ""] =
      /^(index|(?:old|new) mode|(?:new|deleted) file mode|(?:rename|copy) (?:from|to)) ([^]*)$/
        .exec(line) ?? [];
    if (word === "index") return this.#takeIndex(rest, line, number);
    if (word === "") return;
    this.found = true;
    if (/^[rc]/.test(word)) {
      this.#moves.set(word, number);
      return;
    }
    const side = word.startsWith("new") ? 1 : 0;
    this.#modes[side] = modeOf(rest);
    if (word === "new file mode") this.nonexistent[0] = 2;
    if (word === "deleted file mode") this.nonexistent[1] = 2;
    if (word !== "old mode") this.#note(line, number);
  }

  #takeIndex(rest: string, line: string, number: number): void {
    const [, old, fresh, mode] = /^([0-9a-f]+)\.\.([0-9a-f]+)(?:\s+([^]*)|)$/.exec(rest) ?? [];
    if (old === undefined || fresh === undefined) return;
    this.found = true;
    this.nonexistent[0] = saysNonexistent(old);
    this.nonexistent[1] = saysNonexistent(fresh);
    if (mode === undefined || mode === "") return;
    this.#modes[0] = this.#modes[1] = modeOf(mode);
    this.#note(line, number);
  }

  #note(line: string, number: number): void {
    this.#modeLine = line.trimEnd();
    this.#modeNumber = number;
  }

  /** Whether the patch renames or copies its file. */
  get move(): "rename" | "copy" | undefined {
    return (["copy", "rename"] as const).find((move) =>
      this.#moves.has(`${move} from`) && this.#moves.has(`${move} to`)
    );
  }

  /** Whether the old name is gone afterwards. */
  get renames(): boolean {
    return this.#moves.has("rename from") && this.#moves.has("rename to");
  }

  /** The permission bits that the file gets, even if its contents stay; `undefined` for none. */
  newMode(reverse: boolean): number | undefined {
    const [from, to] = this.#sides(reverse);
    return to !== 0 && from !== to ? to & 0o777 : undefined;
  }

  #sides(reverse: boolean): readonly [number, number] {
    const [old, fresh] = this.#modes;
    return reverse ? [fresh, old] : [old, fresh];
  }

  /** The types of the two files where they are not the same, as a message tells them. */
  otherType(reverse: boolean): { readonly from: string; readonly to: string } | undefined {
    const [from, to] = this.#sides(reverse).map((mode) => mode & TYPE);
    if (from === undefined || to === undefined || from === to || from === 0 || to === 0) {
      return undefined;
    }
    return { from: from.toString(8), to: to.toString(8) };
  }

  /**
   * Refuses what the file ports cannot do.
   *
   * @throws {PatchError} If a file is a symbolic link or a submodule, or gets a mode where
   * `setsModes` says that none can be set.
   */
  check(reverse: boolean, setsModes: boolean): void {
    const [from, to] = this.#sides(reverse);
    const where = `(line ${this.#modeNumber}): ${this.#modeLine}`;
    if (![from, to].every((mode) => mode === 0 || (mode & TYPE) === REGULAR)) {
      throw new PatchError(`Symbolic links and submodules are not supported ${where}`);
    }
    // The mode of a file that is new is what it would be anyway.
    const usual = to === USUAL && from === 0;
    if (setsModes || usual || this.newMode(reverse) === undefined) return;
    throw new PatchError(`File modes are not supported ${where}`);
  }
}

/** A mode in six octal digits at the end of its line, else 0. */
function modeOf(text: string): number {
  const [, digits] = /^\s*([0-7]{6})\r?\n$/.exec(text) ?? [];
  return digits === undefined ? 0 : parseInt(digits, 8);
}

/** What the hash of a file's contents says. */
function saysNonexistent(hash: string): Nonexistent {
  if (/^0*$/.test(hash)) return 2;
  return EMPTY_FILE.startsWith(hash) ? 1 : 0;
}
