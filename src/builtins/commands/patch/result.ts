import { blocksOf, type HeldBytes } from "../../hold/mod.ts";
import type { Direction } from "./direction.ts";
import type { PatchFiles } from "./files.ts";
import type { Target } from "./find.ts";
import type { FilePatch } from "./heading.ts";
import type { PatchSettings } from "./options.ts";
import type { Rejects } from "./reject.ts";
import { PatchError, type Talk } from "./talk.ts";
import { quoteName } from "../../text/mod.ts";

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

  /**
   * Writes a result to the file `name` and the backup, or has the file removed if it has become
   * empty.
   */
  async finish(
    outcome: Outcome,
    target: Target,
    name: string,
  ): Promise<{ readonly clean: boolean }> {
    const { patch, direction, result, rejects, mismatch } = outcome;
    const { flags, backUpMismatch } = this.#settings;
    const files = this.#files;
    const dry = flags.has("dryRun");
    const backUp = flags.has("backup") || (backUpMismatch && (mismatch || rejects.count > 0));
    const gone = direction.saysNonexistent(patch, true) === 2;
    // What an ed script would leave is not known before it is run.
    const empty = result.size === 0 && !(dry && patch.style === "ed");
    if (empty && (gone || flags.has("removeEmpty"))) {
      if (dry) return { clean: true };
      // GNU's looks at what is written by the name that a copy or rename gives it.
      const isOther = name !== target.name || patch.git?.move !== undefined;
      if (isOther && !await files.exists(name)) {
        throw new PatchError(
          `Can't get file attributes of file ${name} : No such file or directory`,
        );
      }
      const id = name === target.name ? target.id : files.history.idOf(name);
      files.removeLater(name, id, backUp);
      return { clean: true };
    }
    if (gone && !empty && !this.#talk.silent) {
      this.#talk.say(`Not deleting file ${quoteName(name)} as content differs from patch\n`);
    }
    if (!dry) await this.#write(outcome, target, name, backUp);
    return { clean: !gone || empty };
  }

  async #write(
    { patch, direction, result, rejects, hunks }: Outcome,
    { name: from, input, id }: Target,
    name: string,
    backUp: boolean,
  ): Promise<void> {
    const files = this.#files;
    const { git } = patch;
    // What git compares is the state before all of its patches; new files are made at once.
    const later = git !== undefined && direction.saysNonexistent(patch) !== 2;
    const newMode = git?.newMode(direction.reverse);
    const moves = git?.move !== undefined;
    if (rejects.count === hunks && patch.style !== "ed" && newMode === undefined && !moves) {
      await files.put({ name, bytes: undefined, backUp, mode: undefined }, later);
      return;
    }
    const mode = newMode ??
      (name === from || input === "missing" ? undefined : await files.modeOf(from));
    if (typeof input === "object") await input.close();
    const bytes = await result.finish();
    try {
      await files.put({ name, bytes, backUp, mode }, later);
    } finally {
      await bytes.close();
    }
    if (git?.renames === true) files.removeLater(from, id, backUp);
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
      if (this.#settings.reject === undefined) await this.#files.reject(reject, bytes);
      else await this.#files.append(reject, bytes);
    } finally {
      await bytes.close();
    }
  }
}
