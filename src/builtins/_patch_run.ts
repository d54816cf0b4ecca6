import type { Chunk } from "../streams/mod.ts";
import type { BuiltinIo } from "./builtin.ts";
import { utf8 } from "./_output.ts";
import { contexts, PatchedFile, swapHunk } from "./_patch_apply.ts";
import { blocksOf, HeldBytes } from "./_held_bytes.ts";
import { NO_BYTES, type PatchFiles } from "./_patch_files.ts";
import { findTarget, isSafe, patchNames, type Target } from "./_patch_find.ts";
import type { PatchSettings } from "./_patch_options.ts";
import { type FilePatch, type Hunk, PatchError, type PatchReader } from "./_patch_parse.ts";
import { rejectedHunk, rejectHeading } from "./_patch_reject.ts";
import { textBytes, toUnicode } from "./_patch_text.ts";
import { quoteName } from "./_quote.ts";

/** What the command says, or puts out with `-o -`. */
export interface Said {
  readonly bytes: Chunk;
  /** Whether it goes to standard output. */
  readonly stdout: boolean;
}

type Saying = AsyncGenerator<Said, void, void>;

/** Applies all patches of a patch file. */
export class Patcher {
  /** The exit status so far. */
  status = 0;
  readonly #settings: PatchSettings;
  readonly #io: BuiltinIo;
  readonly #reader: PatchReader;
  readonly #files: PatchFiles;
  #reverse = false;
  #applyAnyway = false;
  #skip = false;

  /** Makes a patcher; nothing is read yet. */
  constructor(
    settings: PatchSettings,
    io: BuiltinIo,
    reader: PatchReader,
    files: PatchFiles,
  ) {
    this.#settings = settings;
    this.#io = io;
    this.#files = files;
    this.#reader = reader;
  }

  /** Applies the patches and tells how each hunk did. */
  async *run(): Saying {
    try {
      yield* this.#patches();
    } catch (error) {
      yield* this.#notes();
      throw error;
    }
  }

  /** What the reader has to say. */
  *#notes(): Generator<Said, void, void> {
    for (const note of this.#reader.takeNotes()) yield this.#say(note);
  }

  async *#patches(): Saying {
    const { flags } = this.#settings;
    const verbose = flags.has("verbose");
    for (let first = true;; first = false) {
      const patch = await this.#reader.nextPatch();
      yield* this.#notes();
      if (patch === undefined) {
        const atEnd = await this.#reader.isAtEnd();
        if (verbose && first) {
          yield this.#say("Hmm...  I can't seem to find a patch in there anywhere.\n");
        } else if (verbose && !atEnd) {
          yield this.#say("Hmm...  Ignoring the trailing garbage.\n");
        }
        if (first && !atEnd) {
          throw new PatchError("Only garbage was found in the patch input.");
        }
        if (first) yield* this.#copy();
        if (verbose && !first) yield this.#say("done\n");
        for await (const name of this.#files.removals()) {
          if (verbose) yield this.#say(`Removing file ${quoteName(name)}\n`);
        }
        return;
      }
      if (verbose) {
        const article = first ? "Looks like" : "The next patch looks like";
        yield this.#say(`Hmm...  ${article} a ${patch.style} diff to me...\n`);
      }
      if (patch.stripCr && !flags.has("silent")) {
        yield this.#say("(Stripping trailing CRs from patch; use --binary to disable.)\n");
      }
      if (verbose) yield* this.#leading(patch);
      yield* this.#patch(patch);
    }
  }

  /** An empty patch with an output: it is created, as a copy of the input if there is one. */
  async *#copy(): Saying {
    const { file, output, flags } = this.#settings;
    if (output === undefined) return;
    const input = file === undefined ? undefined : await this.#files.open(file);
    if (file !== undefined && !flags.has("silent")) {
      const doing = flags.has("dryRun") ? "checking" : "patching";
      yield this.#say(`${doing} file ${quoteName(output)} (read from ${quoteName(file)})\n`);
    }
    try {
      const bytes = input?.bytes ?? NO_BYTES;
      if (output !== "-") await this.#files.append(output, bytes);
      else for await (const piece of blocksOf(bytes)) yield { bytes: piece, stdout: true };
    } finally {
      await input?.close();
    }
  }

  #say(text: string): Said {
    return { bytes: utf8(text), stdout: this.#settings.output !== "-" };
  }

  async *#leading(patch: FilePatch): Saying {
    if (patch.leading === patch.line - 1) return;
    const rule = "--------------------------\n";
    let text = `The text leading up to this was:\n${rule}`;
    for await (const line of this.#reader.leading(patch)) {
      text += `|${toUnicode(line)}`;
      if (text.length < 32768) continue;
      yield this.#say(text);
      text = "";
    }
    yield this.#say(text + rule);
  }

  async *#patch(patch: FilePatch): Saying {
    const { flags, output } = this.#settings;
    this.#reverse = flags.has("reverse");
    this.#applyAnyway = this.#skip = false;
    const { file: given, strip } = this.#settings;
    const names = given === undefined ? patchNames(patch, strip) : [];
    for (const name of names.filter((each) => !isSafe(each))) {
      yield this.#say(`Ignoring potentially dangerous file name ${quoteName(name)}\n`);
    }
    let target: Target | undefined = given === undefined
      ? await findTarget(names.filter(isSafe), patch, this.#files)
      : { name: given, input: await this.#files.open(given, true) };
    const input = target?.input;
    try {
      if (target === undefined) {
        yield* this.#notFound(patch);
        this.#skip = true;
      } else {
        yield* this.#maybeReversed(patch, target);
        if (this.#skip) target = undefined;
      }
      const silent = flags.has("silent");
      if (target !== undefined && !silent) {
        const doing = flags.has("dryRun") ? "checking" : "patching";
        const to = output === undefined
          ? quoteName(target.name)
          : `${quoteName(output)} (read from ${quoteName(target.name)})`;
        yield this.#say(`${doing} file ${to}\n`);
        if (flags.has("verbose")) yield this.#say("Using Plan A...\n");
      }
      const result = new HeldBytes(this.#files.storage);
      const lines = target === undefined ? undefined : input?.lines;
      const file = new PatchedFile(lines, flags.has("ignoreSpace"), result);
      const rejects = new Rejects(patch, this.#settings.strip, new HeldBytes(this.#files.storage));
      let mismatch = false;
      let count = 0;
      for (;;) {
        let hunk: Hunk | undefined;
        try {
          hunk = await this.#reader.nextHunk(patch.style);
        } catch (error) {
          // What was put out until then stays.
          if (output !== undefined && !this.#skip) yield* this.#giveTo(output, result);
          throw error;
        }
        yield* this.#notes();
        if (hunk === undefined) break;
        count++;
        const done = yield* this.#hunk(file, hunk, count, patch, lines?.count ?? 0);
        if (!done.exact) mismatch = true;
        if (done.rejected !== undefined) {
          await rejects.add(done.rejected, done.offset, this.#reverse);
        }
      }
      if (target !== undefined && !this.#skip) {
        await file.end();
        yield* this.#finish(patch, target, result, mismatch, rejects.count);
      }
      if (rejects.count > 0) yield* this.#reject(target, rejects, count);
    } finally {
      await input?.close();
    }
  }

  /** Applies one hunk, or finds that it cannot be. `size` is how many lines the file has. */
  async *#hunk(
    file: PatchedFile,
    given: Hunk,
    count: number,
    patch: FilePatch,
    size: number,
  ): AsyncGenerator<Said, { exact: boolean; rejected?: Hunk; offset: number }, void> {
    const { flags } = this.#settings;
    const silent = flags.has("silent");
    const verbose = flags.has("verbose");
    const { hunk, where, fuzz, reversed } = yield* this.#place(file, given, count === 1, patch);
    const clash = where === 1 && this.#side(patch, this.#reverse).nonexistent === 2 && size > 0;
    if (this.#skip || where === 0 || clash) {
      const at = file.wouldBe(hunk);
      if (verbose || (!this.#skip && !silent)) {
        yield this.#say(`Hunk #${count} ${this.#skip ? "ignored" : "FAILED"} at ${at}.\n`);
      }
      return { exact: false, rejected: hunk, offset: at - hunk.first };
    }
    const placed = await file.apply(hunk, where, fuzz);
    const inexact = placed.fuzz > 0 || placed.offset !== 0;
    if (verbose || (inexact && !silent)) {
      const fuzzy = placed.fuzz > 0 ? ` with fuzz ${placed.fuzz}` : "";
      const lines = placed.offset === 1 ? "line" : "lines";
      const moved = placed.offset === 0 ? "" : ` (offset ${placed.offset} ${lines})`;
      yield this.#say(`Hunk #${count} succeeded at ${placed.where}${fuzzy}${moved}.\n`);
    }
    return { exact: !inexact && !reversed, offset: 0 };
  }

  #side(patch: FilePatch, reverse: boolean) {
    return reverse ? patch.new : patch.old;
  }

  /** Finds where a hunk goes, with more and more fuzz; finds out whether it is reversed. */
  async *#place(
    file: PatchedFile,
    given: Hunk,
    first: boolean,
    { style }: FilePatch,
  ): AsyncGenerator<Said, { hunk: Hunk; where: number; fuzz: number; reversed: boolean }, void> {
    const { flags, fuzz: limit } = this.#settings;
    const hunk = this.#reverse ? swapHunk(given) : given;
    if (this.#skip) return { hunk, where: 0, fuzz: 0, reversed: false };
    const most = style === "normal" ? 0 : Math.min(limit, Math.max(...contexts(given.lines)));
    for (let fuzz = 0; fuzz <= most; fuzz++) {
      const where = await file.locate(hunk, fuzz);
      if (where > 0) return { hunk, where, fuzz, reversed: false };
      const specified = this.#reverse === flags.has("reverse");
      if (!first || flags.has("force") || this.#applyAnyway || !specified) continue;
      const swapped = swapHunk(hunk);
      const other = await file.locate(swapped, fuzz);
      if (other === 0) continue;
      const what = this.#reverse ? "Unreversed" : "Reversed (or previously applied)";
      const yes = yield* this.#askReverse(`${what} patch detected!`);
      if (yes) {
        this.#reverse = !this.#reverse;
        return { hunk: swapped, where: other, fuzz, reversed: true };
      }
      if (this.#skip) break;
      this.#applyAnyway = true;
      fuzz--;
    }
    return { hunk, where: 0, fuzz: 0, reversed: false };
  }

  /** Asks whether to reverse a patch; without a terminal the answer is no, and to skip it. */
  *#askReverse(question: string): Generator<Said, boolean, void> {
    const { flags } = this.#settings;
    const silent = flags.has("silent");
    const ask = flags.has("forward") || !(flags.has("force") && silent) ? question : "";
    if (flags.has("forward")) {
      yield this.#say(`${ask}  Skipping patch.\n`);
      this.#skip = true;
      return false;
    }
    if (flags.has("force")) {
      yield this.#say(ask + (silent ? "" : "  Applying it anyway.\n"));
      return false;
    }
    if (flags.has("batch")) {
      yield this.#say(`${ask}  ${this.#reverse ? "Ignoring" : "Assuming"} -R.\n`);
      return true;
    }
    const offer = this.#reverse ? "Ignore" : "Assume";
    yield this.#say(
      `${ask}  ${offer} -R? [n] \nApply anyway? [n] \n${silent ? "" : "Skipping patch.\n"}`,
    );
    this.#skip = true;
    return false;
  }

  /** Asks whether a patch that creates or deletes a file goes the other way. */
  *#maybeReversed(patch: FilePatch, { name, input }: Target): Generator<Said, void, void> {
    const missing = input === undefined;
    const empty = missing || input.bytes.size === 0;
    const says = (reverse: boolean): number => this.#side(patch, reverse).nonexistent;
    const toggled = this.#reverse !== empty;
    if ((empty ? 0 : 1) >= says(toggled)) return;
    if (empty && says(this.#reverse !== missing) === 1 && says(this.#reverse === missing) === 2) {
      return;
    }
    const [would, which] = missing
      ? ["delete", "does not exist"]
      : empty
      ? ["empty out", "is already empty"]
      : ["create", "already exists"];
    const yes = yield* this.#askReverse(
      `The next patch${this.#reverse ? ", when reversed," : ""} would ${would} the file ` +
        `${quoteName(name)},\nwhich ${which}!`,
    );
    if (yes) this.#reverse = !this.#reverse;
  }

  async *#notFound(patch: FilePatch): Saying {
    const { flags, strip } = this.#settings;
    yield this.#say(`can't find file to patch at input line ${patch.line}\n`);
    const advice = strip < 0 ? "should have used the" : "used the wrong";
    yield this.#say(`Perhaps you ${advice} -p or --strip option?\n`);
    if (!flags.has("verbose")) yield* this.#leading(patch);
    if (flags.has("force") || flags.has("batch")) {
      yield this.#say("No file to patch.  Skipping patch.\n");
      return;
    }
    const skipping = flags.has("silent") ? "" : "Skipping patch.\n";
    yield this.#say(`File to patch: \nSkip this patch? [y] \n${skipping}`);
  }

  /** Writes the result and the backup, or removes what has become empty. */
  async *#finish(
    patch: FilePatch,
    { name, input }: Target,
    result: HeldBytes,
    mismatch: boolean,
    failed: number,
  ): Saying {
    const { flags, output, backupName } = this.#settings;
    if (output !== undefined) return yield* this.#giveTo(output, result);
    const gone = this.#side(patch, !this.#reverse).nonexistent === 2;
    const remove = result.size === 0 && (gone || flags.has("removeEmpty"));
    if (gone && !remove) {
      if (!flags.has("silent")) {
        yield this.#say(`Not deleting file ${quoteName(name)} as content differs from patch\n`);
      }
      this.status = Math.max(this.status, 1);
    }
    if (flags.has("dryRun")) return;
    const isNew = !this.#files.isTouched(name);
    if (isNew && (flags.has("backup") || (mismatch && !flags.has("noBackupIfMismatch")))) {
      await this.#files.write(backupName(name), input?.bytes ?? NO_BYTES);
    }
    if (input === undefined && failed > 0 && isNew && !remove) {
      throw new PatchError(`Can't reopen file ${quoteName(name)} : No such file or directory`);
    }
    await input?.close();
    if (remove && this.#files.canRemove) {
      if (input !== undefined) this.#files.remove(name);
      return;
    }
    const bytes = await result.finish();
    try {
      await this.#files.write(name, bytes);
    } finally {
      await bytes.close();
    }
    if (!remove) return;
    this.#io.warn(`patch: ${quoteName(name)}: Files cannot be removed here; it is left empty`);
    this.status = 2;
  }

  /** Adds a result to where all go. */
  async *#giveTo(output: string, result: HeldBytes): Saying {
    const bytes = await result.finish();
    try {
      if (output !== "-") await this.#files.append(output, bytes);
      else for await (const piece of blocksOf(bytes)) yield { bytes: piece, stdout: true };
    } finally {
      await bytes.close();
    }
  }

  async *#reject(target: Target | undefined, rejects: Rejects, count: number): Saying {
    const { flags, output, reject } = this.#settings;
    this.status = Math.max(this.status, 1);
    const what = this.#skip ? "ignored" : "FAILED";
    const summary = `${rejects.count} out of ${count} hunk${count === 1 ? "" : "s"} ${what}`;
    const name = reject ?? `${output ?? target?.name}.rej`;
    if (target === undefined || flags.has("dryRun") || reject === "-") {
      yield this.#say(`${summary}\n`);
      return;
    }
    yield this.#say(`${summary} -- saving rejects to file ${quoteName(name)}\n`);
    const bytes = await rejects.text.finish();
    try {
      await this.#files.append(name, bytes);
    } finally {
      await bytes.close();
    }
  }
}

/** The text of hunks that could not be applied. */
class Rejects {
  count = 0;
  readonly text: HeldBytes;
  readonly #patch: FilePatch;
  readonly #strip: number;

  constructor(patch: FilePatch, strip: number, text: HeldBytes) {
    this.#patch = patch;
    this.#strip = strip;
    this.text = text;
  }

  async add(hunk: Hunk, offset: number, reversed: boolean): Promise<void> {
    const heading = this.count++ === 0 ? rejectHeading(this.#patch, reversed, this.#strip) : "";
    await this.text.add(textBytes(heading + rejectedHunk(this.#patch, hunk, offset)));
  }
}
