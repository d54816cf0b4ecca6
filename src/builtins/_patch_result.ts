import { blocksOf, type HeldBytes } from "./_held_bytes.ts";
import type { Direction } from "./_patch_direction.ts";
import type { PatchFiles } from "./_patch_files.ts";
import type { Target } from "./_patch_find.ts";
import type { FilePatch } from "./_patch_heading.ts";
import type { PatchSettings } from "./_patch_options.ts";
import type { Rejects } from "./_patch_reject.ts";
import type { Talk } from "./_patch_talk.ts";
import { quoteName } from "./_quote.ts";

/** How the hunks of one patch did. */
export interface Outcome {
  readonly patch: FilePatch;
  readonly direction: Direction;
  readonly result: HeldBytes;
  readonly rejects: Rejects;
  /** How many hunks there were. */
  readonly hunks: number;
  /** Whether one was not exactly where it should have been. */
  readonly mismatch: boolean;
}

/** Puts results, backups and rejects where they belong. */
export class ResultWriter {
  readonly #settings: PatchSettings;
  readonly #files: PatchFiles;
  readonly #talk: Talk;

  /** Writes nothing yet. */
  constructor(settings: PatchSettings, files: PatchFiles, talk: Talk) {
    this.#settings = settings;
    this.#files = files;
    this.#talk = talk;
  }

  /** Writes a result and the backup, or has the file removed if it has become empty. */
  async finish(outcome: Outcome, { name, input }: Target): Promise<{ readonly clean: boolean }> {
    const { patch, direction, result, rejects, hunks, mismatch } = outcome;
    const { flags, backUpMismatch } = this.#settings;
    const files = this.#files;
    const dry = flags.has("dryRun");
    const backUp = flags.has("backup") || (backUpMismatch && (mismatch || rejects.count > 0));
    const gone = direction.saysNonexistent(patch, true) === 2;
    if (result.size === 0 && (gone || flags.has("removeEmpty"))) {
      if (!dry) files.removeLater(name, backUp);
      return { clean: true };
    }
    if (gone && !this.#talk.silent) {
      this.#talk.say(`Not deleting file ${quoteName(name)} as content differs from patch\n`);
    }
    if (!dry) {
      if (typeof input === "object") await input.close();
      if (rejects.count < hunks || patch.git?.setsMode(direction.reverse) === true) {
        const bytes = await result.finish();
        try {
          await files.replace(name, bytes, backUp);
        } finally {
          await bytes.close();
        }
      } else if (backUp) {
        await files.backUpUnchanged(name);
      }
    }
    return { clean: !gone };
  }

  /** Adds a result to the file of `-o`, or gives its pieces if that is standard output. */
  async *output(result: HeldBytes): AsyncGenerator<Uint8Array<ArrayBuffer>, void, void> {
    const { output } = this.#settings;
    if (output === undefined) return;
    const bytes = await result.finish();
    try {
      if (output === "-") yield* blocksOf(bytes);
      else await this.#files.append(output, bytes);
    } finally {
      await bytes.close();
    }
  }

  /** Tells how many hunks were rejected, and writes them; `name` is that of the result, if any. */
  async reject(
    { rejects, hunks, direction }: Outcome,
    name: string | undefined,
  ): Promise<void> {
    const { flags, reject = `${name}.rej` } = this.#settings;
    if (rejects.count === 0) return;
    const what = direction.skip ? "ignored" : "FAILED";
    this.#talk.say(`${rejects.count} out of ${hunks} hunk${hunks === 1 ? "" : "s"} ${what}`);
    if (name === undefined || flags.has("dryRun") || reject === "-") {
      this.#talk.say("\n");
      return;
    }
    this.#talk.say(` -- saving rejects to file ${quoteName(reject)}\n`);
    const bytes = await rejects.finish();
    try {
      await this.#files.append(reject, bytes);
    } finally {
      await bytes.close();
    }
  }
}
