import { PatchError } from "./_patch_talk.ts";

/** Whether a file of each side should not exist: 2, or not exist or be empty: 1. */
export type Nonexistent = 0 | 1 | 2;

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

  /** Whether the file gets a mode, even if its contents stay. */
  setsMode(reverse: boolean): boolean {
    const [from, to] = this.#sides(reverse);
    return to !== 0 && from !== to;
  }

  #sides(reverse: boolean): readonly [number, number] {
    const [old, fresh] = this.#modes;
    return reverse ? [fresh, old] : [old, fresh];
  }

  /**
   * Refuses what the file ports cannot do.
   *
   * @throws {PatchError} If files are renamed, copied, no regular ones, or change their modes.
   */
  check(reverse: boolean): void {
    for (const move of ["rename", "copy"]) {
      const line = this.#moves.get(`${move} from`);
      if (line === undefined || !this.#moves.has(`${move} to`)) continue;
      throw new PatchError(`Renames and copies are not supported (line ${line})`);
    }
    const [from, to] = this.#sides(reverse);
    const regular = [from, to].every((mode) => mode === 0 || (mode & 0o170000) === REGULAR);
    // The mode of a file that is new is what it would be anyway.
    if (regular && (!this.setsMode(reverse) || (to === USUAL && from === 0))) return;
    throw new PatchError(
      `File modes are not supported (line ${this.#modeNumber}): ${this.#modeLine}`,
    );
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
