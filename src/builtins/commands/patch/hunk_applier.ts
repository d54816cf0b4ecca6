import { HeldBytes, type LineFile, type Storage } from "../../hold/mod.ts";
import { PatchedFile } from "./apply.ts";
import type { PatchSettings } from "./command.ts";
import type { Direction } from "./direction.ts";
import type { FilePatch } from "./heading.ts";
import { contexts, type Hunk, swapHunk } from "./hunk.ts";
import { Rejects } from "./reject.ts";
import type { Talk } from "./talk.ts";

/** The position and direction of a hunk. */
interface Place {
  readonly hunk: Hunk;
  /** The line, or 0 if it does not fit. */
  readonly where: number;
  readonly fuzz: number;
}

/** Applies the hunks of one patch, one after another, or rejects them. */
export class HunkApplier {
  /** Number of hunks so far. */
  hunks = 0;
  /** True if a hunk was not exactly at its expected position. */
  mismatch = false;
  /** The new contents of the file. */
  readonly result: HeldBytes;
  /** The hunks that could not be applied. */
  readonly rejects: Rejects;
  readonly #patch: FilePatch;
  readonly #direction: Direction;
  readonly #file: PatchedFile;
  readonly #settings: PatchSettings;
  readonly #talk: Talk;

  /** Starts with the lines of the file, if it exists. */
  constructor(
    patch: FilePatch,
    direction: Direction,
    lines: LineFile | undefined,
    settings: PatchSettings,
    talk: Talk,
    storage: Storage,
  ) {
    this.#patch = patch;
    this.#direction = direction;
    this.#settings = settings;
    this.#talk = talk;
    this.result = new HeldBytes(storage);
    this.rejects = new Rejects(patch, storage);
    this.#file = new PatchedFile(lines, settings.flags.has("ignore-whitespace"), this.result);
  }

  /** Applies or rejects a hunk, and reports it. */
  async apply(given: Hunk): Promise<void> {
    this.hunks++;
    const [talk, direction, file] = [this.#talk, this.#direction, this.#file];
    const before = direction.reverse;
    const { hunk, where, fuzz } = await this.#place(given);
    const newWhere = (where === 0 ? hunk.first : where) + file.shift;
    const clash = where === 1 && direction.saysNonexistent(this.#patch) === 2 && file.hasLines;
    const tried = !direction.skip && !clash && where !== 0;
    if (!tried || !await file.apply(hunk, where)) {
      this.mismatch = true;
      if (tried) talk.say("misordered hunks! output would be garbled\n");
      await this.rejects.add(hunk, file.shift, direction.reverse);
      if (!talk.verbose && (direction.skip || talk.silent)) return;
      const otherwise = !direction.skip && await file.endsOtherwise(hunk, newWhere);
      const how = direction.skip ? "ignored" : "FAILED";
      const why = otherwise ? " (different line endings)" : "";
      talk.say(`Hunk #${this.hunks} ${how} at ${newWhere}${why}.\n`);
      return;
    }
    const { offset } = file;
    const inexact = fuzz > 0 || offset !== 0;
    if (inexact || before !== direction.reverse) this.mismatch = true;
    if (!talk.verbose && (!inexact || talk.silent)) return;
    const fuzzy = fuzz > 0 ? ` with fuzz ${fuzz}` : "";
    const moved = offset === 0 ? "" : ` (offset ${offset} line${offset === 1 ? "" : "s"})`;
    talk.say(`Hunk #${this.hunks} succeeded at ${newWhere}${fuzzy}${moved}.\n`);
  }

  /** Outputs the rest of the file. */
  async end(): Promise<void> {
    await this.#file.end();
  }

  /** Finds the position of a hunk with increasing fuzz, and if it is reversed. */
  async #place(given: Hunk): Promise<Place> {
    const [direction, file] = [this.#direction, this.#file];
    const hunk = direction.reverse ? swapHunk(given) : given;
    const most = Math.min(this.#settings.fuzz, Math.max(...contexts(given)));
    for (let fuzz = 0; fuzz <= most && !direction.skip; fuzz++) {
      const where = await file.locate(hunk, fuzz);
      if (where !== 0) return { hunk, where, fuzz };
      if (this.hunks > 1 || !direction.mayBeReversed) continue;
      const swapped = swapHunk(hunk);
      const other = await file.locate(swapped, fuzz);
      if (other === 0) continue;
      if (direction.asksAboutHunk()) return { hunk: swapped, where: other, fuzz };
      fuzz--;
    }
    return { hunk, where: 0, fuzz: 0 };
  }
}
