import { PatchError } from "./talk.ts";

/**
 * Statement about a file: 2 if it should not exist, 1 if it should not exist or be empty, 0 if
 * neither.
 */
export type Nonexistent = 0 | 1 | 2;

const TYPE = 0o170000;
const REGULAR = 0o100000;
/** The mode of a new file. */
const USUAL = 0o100644;
const EMPTY_FILE = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";

/** The lines between git's `diff --git` and a patch's hunks. */
export class GitHeading {
  /** True if there were such lines. */
  found = false;
  /** Their statements about the two files. */
  readonly nonexistent: [Nonexistent, Nonexistent] = [0, 0];
  readonly #modes: [number, number] = [0, 0];
  readonly #moves = new Set<string>();
  /** The line with the modes and its number, for messages. */
  #modeLine = "";

  /** Reads a line, if it is one of them; `number` is its number in the patch. */
  take(line: string, number: number): void {
    const [, word = "", rest = ""] =
      /^(index|(?:old|new) mode|(?:new|deleted) file mode|(?:rename|copy) (?:from|to)) ([^]*)$/
        .exec(line) ?? [];
    if (word === "") return;
    if (word === "index") {
      const [, old, fresh, mode = ""] = /^([0-9a-f]+)\.\.([0-9a-f]+)(?:\s+([^]*)|)$/.exec(rest) ??
        [];
      if (old === undefined || fresh === undefined) return;
      this.nonexistent[0] = saysNonexistent(old);
      this.nonexistent[1] = saysNonexistent(fresh);
      if (mode !== "") {
        this.#modes.fill(modeOf(mode));
        this.#modeLine = `(line ${number}): ${line.trimEnd()}`;
      }
    } else if (/^[rc]/.test(word)) {
      this.#moves.add(word);
    } else {
      this.#modes[word.startsWith("new") ? 1 : 0] = modeOf(rest);
      if (word === "new file mode") this.nonexistent[0] = 2;
      if (word === "deleted file mode") this.nonexistent[1] = 2;
      if (word !== "old mode") this.#modeLine = `(line ${number}): ${line.trimEnd()}`;
    }
    this.found = true;
  }

  /** Set if the patch renames or copies its file; if it says both, it is a rename. */
  get move(): "rename" | "copy" | undefined {
    return (["rename", "copy"] as const).find((move) =>
      this.#moves.has(`${move} from`) && this.#moves.has(`${move} to`)
    );
  }

  /**
   * The permission bits for the file, even if its contents stay the same; `undefined` if not given.
   */
  newMode(reverse: boolean): number | undefined {
    const [from, to] = this.#sides(reverse);
    return to !== 0 && from !== to ? to & 0o777 : undefined;
  }

  #sides(reverse: boolean): readonly [number, number] {
    const [old, fresh] = this.#modes;
    return reverse ? [fresh, old] : [old, fresh];
  }

  /**
   * Refuses what the file ports cannot do.
   *
   * @throws {PatchError} If a file is a symbolic link or a submodule, or gets a mode although
   * `setsModes` is false.
   */
  check(reverse: boolean, setsModes: boolean): void {
    const [from, to] = this.#sides(reverse);
    if (![from, to].every((mode) => mode === 0 || (mode & TYPE) === REGULAR)) {
      throw new PatchError(`Symbolic links and submodules are not supported ${this.#modeLine}`);
    }
    // The usual mode of a new file needs no setting.
    const usual = to === USUAL && from === 0;
    if (setsModes || usual || this.newMode(reverse) === undefined) return;
    throw new PatchError(`File modes are not supported ${this.#modeLine}`);
  }
}

/** A mode of six octal digits at the end of its line, otherwise 0. */
function modeOf(text: string): number {
  const [, digits = "0"] = /^\s*([0-7]{6})\r?\n$/.exec(text) ?? [];
  return parseInt(digits, 8);
}

/** Derives from the hash of a file's contents if the file should exist. */
function saysNonexistent(hash: string): Nonexistent {
  if (/^0*$/.test(hash)) return 2;
  return EMPTY_FILE.startsWith(hash) ? 1 : 0;
}
