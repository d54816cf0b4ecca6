import type { Chunk } from "../streams/mod.ts";
import type { BuiltinIo } from "./builtin.ts";
import { utf8 } from "./_output.ts";
import { contexts, PatchedFile, swapHunk } from "./_patch_apply.ts";
import { PatchFiles } from "./_patch_files.ts";
import { findTarget, isSafe, patchNames, type Target } from "./_patch_find.ts";
import type { PatchSettings } from "./_patch_options.ts";
import { type FilePatch, type Hunk, PatchError, type PatchReader } from "./_patch_parse.ts";
import { rejectText } from "./_patch_reject.ts";
import { textBytes, toUnicode } from "./_patch_text.ts";
import { quoteName } from "./_quote.ts";

/** What the command says, or puts out with `-o -`. */
export interface Said {
  readonly bytes: Chunk;
  /** Whether it goes to standard output. */
  readonly stdout: boolean;
}

type Saying = AsyncGenerator<Said, void, void>;

/** A hunk that could not be applied, and how far the result had shifted there. */
interface Rejected {
  readonly hunk: Hunk;
  readonly offset: number;
}

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
  constructor(settings: PatchSettings, io: BuiltinIo, reader: PatchReader) {
    this.#settings = settings;
    this.#io = io;
    this.#files = new PatchFiles(io, settings.place);
    this.#reader = reader;
  }

  /** Applies the patches and tells how each hunk did. */
  async *run(): Saying {
    const { flags } = this.#settings;
    const verbose = flags.has("verbose");
    for (let first = true;; first = false) {
      const patch = this.#reader.nextPatch();
      if (patch === undefined) {
        if (verbose && first) {
          yield this.#say("Hmm...  I can't seem to find a patch in there anywhere.\n");
        } else if (verbose && !this.#reader.atEnd) {
          yield this.#say("Hmm...  Ignoring the trailing garbage.\n");
        }
        if (first && !this.#reader.atEnd) {
          throw new PatchError("Only garbage was found in the patch input.");
        }
        if (first) yield* this.#copy();
        if (verbose && !first) yield this.#say("done\n");
        return;
      }
      if (flags.has(patch.style === "unified" ? "normal" : "unified")) {
        throw new PatchError("Only garbage was found in the patch input.");
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

  /** An empty patch with an input and an output: the one is copied to the other. */
  async *#copy(): Saying {
    const { file, output, flags } = this.#settings;
    if (file === undefined || output === undefined) return;
    const lines = await this.#files.read(file);
    if (!flags.has("silent")) {
      yield this.#say(`patching file ${quoteName(output)} (read from ${quoteName(file)})\n`);
    }
    if (lines === undefined) {
      throw new PatchError(`Can't find file ${quoteName(file)} : No such file or directory`);
    }
    if (output === "-") yield { bytes: textBytes(lines.join("")), stdout: true };
    else await this.#files.write(output, lines.join(""));
  }

  #say(text: string): Said {
    return { bytes: utf8(text), stdout: this.#settings.output !== "-" };
  }

  *#leading({ leading }: FilePatch): Generator<Said, void, void> {
    if (leading.length === 0) return;
    const rule = "--------------------------\n";
    const lines = leading.map((line) => `|${toUnicode(line)}`).join("");
    yield this.#say(`The text leading up to this was:\n${rule}${lines}${rule}`);
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
      ? await findTarget(names.filter(isSafe), this.#side(patch, this.#reverse), this.#files)
      : { name: given, lines: await this.#files.read(given) };
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
    const file = new PatchedFile(target?.lines ?? [], flags.has("ignoreSpace"));
    const rejected: Rejected[] = [];
    let mismatch = false;
    let count = 0;
    for (;;) {
      const hunk = this.#reader.nextHunk(patch.style);
      if (hunk === undefined) break;
      count++;
      const done = yield* this.#hunk(file, hunk, count, patch, target?.lines?.length ?? 0);
      if (!done.exact) mismatch = true;
      if (done.rejected !== undefined) rejected.push(done.rejected);
    }
    if (target !== undefined && !this.#skip) {
      yield* this.#finish(patch, target, file.end(), mismatch, rejected.length);
    }
    if (rejected.length > 0) yield* this.#reject(patch, target, rejected, count);
  }

  /** Applies one hunk, or finds that it cannot be. `size` is how many lines the file has. */
  *#hunk(
    file: PatchedFile,
    given: Hunk,
    count: number,
    patch: FilePatch,
    size: number,
  ): Generator<Said, { readonly exact: boolean; readonly rejected?: Rejected }, void> {
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
      return { exact: false, rejected: { hunk, offset: at - hunk.first } };
    }
    const placed = file.apply(hunk, where, fuzz);
    const inexact = placed.fuzz > 0 || placed.offset !== 0;
    if (verbose || (inexact && !silent)) {
      const fuzzy = placed.fuzz > 0 ? ` with fuzz ${placed.fuzz}` : "";
      const lines = placed.offset === 1 ? "line" : "lines";
      const moved = placed.offset === 0 ? "" : ` (offset ${placed.offset} ${lines})`;
      yield this.#say(`Hunk #${count} succeeded at ${placed.where}${fuzzy}${moved}.\n`);
    }
    return { exact: !inexact && !reversed };
  }

  #side(patch: FilePatch, reverse: boolean) {
    return reverse ? patch.new : patch.old;
  }

  /** Finds where a hunk goes, with more and more fuzz; finds out whether it is reversed. */
  *#place(
    file: PatchedFile,
    given: Hunk,
    first: boolean,
    { style }: FilePatch,
  ): Generator<Said, { hunk: Hunk; where: number; fuzz: number; reversed: boolean }, void> {
    const { flags, fuzz: limit } = this.#settings;
    const hunk = this.#reverse ? swapHunk(given) : given;
    if (this.#skip) return { hunk, where: 0, fuzz: 0, reversed: false };
    const most = style === "normal" ? 0 : Math.min(limit, Math.max(...contexts(given.lines)));
    for (let fuzz = 0; fuzz <= most; fuzz++) {
      const where = file.locate(hunk, fuzz);
      if (where > 0) return { hunk, where, fuzz, reversed: false };
      const specified = this.#reverse === flags.has("reverse");
      if (!first || flags.has("force") || this.#applyAnyway || !specified) continue;
      const swapped = swapHunk(hunk);
      const other = file.locate(swapped, fuzz);
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
  *#maybeReversed(patch: FilePatch, { name, lines }: Target): Generator<Said, void, void> {
    const missing = lines === undefined;
    const empty = missing || lines.length === 0;
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

  *#notFound(patch: FilePatch): Generator<Said, void, void> {
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

  /** Writes the result and the backup. */
  async *#finish(
    patch: FilePatch,
    { name, lines }: Target,
    result: readonly string[],
    mismatch: boolean,
    failed: number,
  ): Saying {
    const { flags, output, backupName } = this.#settings;
    const removes = this.#side(patch, !this.#reverse).nonexistent === 2 ||
      flags.has("removeEmpty");
    const remove = removes && result.length === 0 && output === undefined;
    if (!remove && result.length > 0 && this.#side(patch, !this.#reverse).nonexistent === 2) {
      yield this.#say(`Not deleting file ${quoteName(name)} as content differs from patch\n`);
      this.status = Math.max(this.status, 1);
    }
    if (flags.has("dryRun")) return;
    if (lines === undefined && failed > 0) {
      throw new PatchError(`Can't reopen file ${quoteName(name)} : No such file or directory`);
    }
    const text = result.join("");
    if (output === "-") {
      yield { bytes: textBytes(text), stdout: true };
      return;
    }
    if (output !== undefined) {
      await this.#files.append(output, text);
      return;
    }
    const before = lines?.join("");
    if (flags.has("backup") || (mismatch && !flags.has("noBackupIfMismatch"))) {
      await this.#files.write(backupName(name), before ?? "");
    }
    if (text !== before) await this.#files.write(name, text);
    if (!remove) return;
    this.#io.warn(`patch: ${quoteName(name)}: Files cannot be removed here; it is left empty`);
    this.status = 2;
  }

  async *#reject(
    patch: FilePatch,
    target: Target | undefined,
    rejected: readonly Rejected[],
    count: number,
  ): Saying {
    const { flags, output, reject } = this.#settings;
    this.status = Math.max(this.status, 1);
    const what = this.#skip ? "ignored" : "FAILED";
    const summary = `${rejected.length} out of ${count} hunk${count === 1 ? "" : "s"} ${what}`;
    const name = reject ?? `${output ?? target?.name}.rej`;
    if (target === undefined || flags.has("dryRun") || reject === "-") {
      yield this.#say(`${summary}\n`);
      return;
    }
    yield this.#say(`${summary} -- saving rejects to file ${quoteName(name)}\n`);
    const text = rejectText(patch, rejected, this.#reverse, this.#settings.strip);
    if (reject === undefined) await this.#files.write(name, text);
    else await this.#files.append(name, text);
  }
}
