import type { PatchedFile } from "./apply.ts";
import type { Direction } from "./direction.ts";
import type { FilePatch, PatchStyle } from "./heading.ts";
import { contexts, type Hunk, swapHunk } from "./hunk.ts";
import type { PatchSettings } from "./options.ts";
import type { Rejects } from "./reject.ts";
import type { Talk } from "./talk.ts";

/** What the hunks of one patch are applied with. */
interface Parts {
  readonly settings: PatchSettings;
  readonly talk: Talk;
  readonly patch: FilePatch;
  readonly direction: Direction;
  readonly file: PatchedFile;
  readonly rejects: Rejects;
}

/** Where a hunk goes, if anywhere, and which way. */
interface Place {
  readonly hunk: Hunk;
  /** The line, 0 for none. */
  readonly where: number;
  readonly fuzz: number;
}

/** Applies the hunks of one patch, one after another, or rejects them. */
export class HunkApplier {
  /** How many there have been. */
  hunks = 0;
  /** Whether one was not exactly where it should have been. */
  mismatch = false;
  readonly #parts: Parts;

  /** Applies nothing yet. */
  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Applies a hunk or rejects it, and tells of it. */
  async apply(given: Hunk, style: PatchStyle): Promise<void> {
    const { talk, patch, direction, file, rejects } = this.#parts;
    const count = ++this.hunks;
    const before = direction.reverse;
    const { hunk, where, fuzz } = await this.#place(given);
    const newWhere = (where === 0 ? hunk.first : where) + file.shift;
    const clash = where === 1 && direction.saysNonexistent(patch) === 2 && file.hasLines;
    const tried = !direction.skip && !clash && where !== 0;
    const placed = tried ? await file.apply(hunk, where, fuzz) : undefined;
    if (placed === undefined) {
      this.mismatch = true;
      if (tried) talk.say("misordered hunks! output would be garbled\n");
      await rejects.add(hunk, style, file.shift, direction.reverse);
      if (!talk.verbose && (direction.skip || talk.silent)) return;
      const otherwise = !direction.skip && await file.endsOtherwise(hunk, newWhere);
      const how = direction.skip ? "ignored" : "FAILED";
      const why = otherwise ? " (different line endings)" : "";
      talk.say(`Hunk #${count} ${how} at ${newWhere}${why}.\n`);
      return;
    }
    const inexact = placed.fuzz > 0 || placed.offset !== 0;
    if (inexact || before !== direction.reverse) this.mismatch = true;
    if (!talk.verbose && (!inexact || talk.silent)) return;
    const fuzzy = placed.fuzz > 0 ? ` with fuzz ${placed.fuzz}` : "";
    const lines = placed.offset === 1 ? "line" : "lines";
    const moved = placed.offset === 0 ? "" : ` (offset ${placed.offset} ${lines})`;
    talk.say(`Hunk #${count} succeeded at ${placed.where}${fuzzy}${moved}.\n`);
  }

  /** Finds where a hunk goes, with more and more fuzz; finds out whether it is reversed. */
  async #place(given: Hunk): Promise<Place> {
    const { settings, direction, file } = this.#parts;
    const hunk = direction.reverse ? swapHunk(given) : given;
    if (direction.skip) return { hunk, where: 0, fuzz: 0 };
    const most = Math.min(settings.fuzz, Math.max(...contexts(given)));
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
