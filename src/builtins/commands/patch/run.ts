import type { Chunk } from "../../../streams/mod.ts";
import type { BuiltinIo } from "../../builtin.ts";
import { HeldBytes, type LineFile } from "../../hold/mod.ts";
import { PatchedFile } from "./apply.ts";
import { Direction } from "./direction.ts";
import { EdFile } from "./ed.ts";
import { readEdScript } from "./ed_script.ts";
import type { PatchFiles } from "./files.ts";
import { findTarget, givenTarget, type Target } from "./find.ts";
import { type FilePatch, findPatch } from "./heading.ts";
import { HunkApplier } from "./hunk_applier.ts";
import { HunkReader } from "./hunks.ts";
import { BARE, type PatchLines } from "./lines.ts";
import type { PatchSettings } from "./options.ts";
import { PatchPlace } from "./place.ts";
import { checkPrerequisite } from "./prereq.ts";
import { Rejects } from "./reject.ts";
import { type Outcome, ResultWriter } from "./result.ts";
import { PatchError, type Talk } from "./talk.ts";
import { shownLine } from "./text.ts";
import { quoteName } from "../../text/mod.ts";

/** A result for standard output (`-o -`), or a sign that there is something said to take. */
type Pieces = AsyncGenerator<Chunk | "said", void, void>;

/** What an empty patch comes to where it has a file and an output: a copy. */
const NO_PATCH: FilePatch = {
  style: "normal",
  old: { name: undefined, time: "", nonexistent: 0 },
  new: { name: undefined, time: "", nonexistent: 0 },
  index: undefined,
  prerequisite: undefined,
  leading: 0,
  start: 0,
  line: 1,
  wrapping: BARE,
  git: undefined,
};

/** What the kinds of patches are called. */
const STYLES = {
  unified: "a unified diff",
  context: "a context diff",
  "new-context": "a new-style context diff",
  normal: "a normal diff",
  ed: "an ed script",
  binary: "a git binary diff",
};

const GARBAGE = "Only garbage was found in the patch input.";

/** Applies all patches of a patch file. */
export class Patcher {
  /** The exit status so far. */
  status = 0;
  readonly #settings: PatchSettings;
  readonly #io: BuiltinIo;
  readonly #lines: PatchLines;
  readonly #files: PatchFiles;
  readonly #talk: Talk;
  readonly #writer: ResultWriter;
  /** Whether the patch before was one of git's. */
  #wasGit = false;

  /** Makes a patcher; nothing is read yet. */
  constructor(
    settings: PatchSettings,
    io: BuiltinIo,
    lines: PatchLines,
    files: PatchFiles,
    talk: Talk,
  ) {
    this.#settings = settings;
    this.#io = io;
    this.#files = files;
    this.#lines = lines;
    this.#talk = talk;
    this.#writer = new ResultWriter(settings, files, talk);
  }

  /** Applies the patches and tells how each hunk did. */
  async *run(): Pieces {
    const { file, only, output } = this.#settings;
    const lines = this.#lines;
    const talk = this.#talk;
    for (let first = true;; first = false) {
      if (lines.at > 0 && await lines.isAtEnd()) {
        if (talk.verbose) talk.say("done\n");
        break;
      }
      if (talk.verbose) talk.say("Hmm...");
      const begin = lines.at;
      const direction = new Direction(this.#settings, talk);
      const patch = await this.#find(first);
      if (patch !== undefined) {
        yield* this.#patch(patch, direction, begin === 0);
        // What looks like an ed script, but begins with no command of one: GNU's never ends here,
        // unless it is no longer bound to the style that was asked for.
        if (lines.at === begin && !(first && only !== undefined)) {
          if (direction.skip && begin === 0) throw new PatchError(GARBAGE);
          await this.#stuck();
        }
        continue;
      }
      if (talk.verbose) {
        talk.say(
          begin > 0
            ? "  Ignoring the trailing garbage.\ndone\n"
            : "  I can't seem to find a patch in there anywhere.\n",
        );
      }
      lines.seek(begin, 0);
      if (begin === 0 && !await lines.isAtEnd()) {
        throw new PatchError(GARBAGE);
      }
      if (!first || file === undefined || output === undefined) break;
      yield* this.#copy(direction);
    }
    await this.#files.flush();
    for await (const { kind, name } of this.#files.removals((left) => this.#leave(left))) {
      if (!talk.verbose) continue;
      const what = kind === "file" ? "Removing file" : "Removed empty directory";
      talk.say(`${what} ${quoteName(name)}\n`);
    }
  }

  /** Refuses a patch of which nothing can be read. */
  async #stuck(): Promise<never> {
    const line = await this.#lines.next(BARE) ?? "";
    throw new PatchError(`malformed patch at line ${this.#lines.number}: ${shownLine(line)}`);
  }

  async #find(first: boolean): Promise<FilePatch | undefined> {
    const { only, strip, file, flags } = this.#settings;
    return await findPatch(this.#lines, {
      strip,
      only: first ? only : undefined,
      named: file !== undefined,
      ignoreSpace: flags.has("ignoreSpace"),
    });
  }

  #leave(name: string): void {
    this.#io.warn(`patch: ${quoteName(name)}: Files cannot be removed here; it is left empty`);
    this.status = 2;
  }

  /** An empty patch with a file and an output. */
  async *#copy(direction: Direction): Pieces {
    const { file = "" } = this.#settings;
    const target = await givenTarget(file, NO_PATCH, this.#files, direction);
    yield* this.#apply(NO_PATCH, direction, target);
  }

  async *#patch(found: FilePatch, direction: Direction, first: boolean): Pieces {
    const { file, flags } = this.#settings;
    const talk = this.#talk;
    // An index line counts only where there are no other names, or none are needed.
    const indexed = file !== undefined ||
      (found.old.name === undefined && found.new.name === undefined);
    const stripCr = found.wrapping.stripCr && !flags.has("binary");
    const patch: FilePatch = {
      ...found,
      index: indexed ? found.index : undefined,
      wrapping: { ...found.wrapping, stripCr },
    };
    const target = file === undefined
      ? await findTarget(patch, this.#files, direction, talk)
      : await givenTarget(file, patch, this.#files, direction);
    if (direction.skip) return yield* this.#apply(patch, direction, target);
    if (talk.verbose) {
      const looks = `${first ? "L" : "The next patch l"}ooks like ${STYLES[patch.style]}`;
      talk.say(`  ${looks} to me...\n`);
    }
    const { indent } = patch.wrapping;
    if (!talk.silent) {
      if (indent > 0) talk.say(`(Patch is indented ${indent} space${indent === 1 ? "" : "s"}.)\n`);
      if (stripCr) talk.say("(Stripping trailing CRs from patch; use --binary to disable.)\n");
      if (target === undefined) this.#notFound(patch);
    }
    if (talk.verbose || target === undefined) yield* this.#leading(patch);
    if (target === undefined) {
      direction.skip = true;
      if (flags.has("force") || flags.has("batch")) {
        talk.say("No file to patch.  Skipping patch.\n");
      } else {
        talk.say("File to patch: \nSkip this patch? [y] \n");
        if (!talk.silent) talk.say("Skipping patch.\n");
      }
    }
    yield* this.#apply(patch, direction, target);
  }

  #notFound({ line, style }: FilePatch): void {
    this.#talk.say(`can't find file to patch at input line ${line}\n`);
    if (style === "normal" || style === "ed") return;
    const advice = this.#settings.strip < 0 ? "should have used the" : "used the wrong";
    this.#talk.say(`Perhaps you ${advice} -p or --strip option?\n`);
  }

  async *#leading({ leading, start }: FilePatch): Pieces {
    if (leading === start) return;
    const talk = this.#talk;
    const rule = "--------------------------\n";
    talk.say(`The text leading up to this was:\n${rule}`);
    for await (const line of this.#lines.between(leading, start)) {
      talk.sayBytes(`|${line}`);
      if (talk.size > 32768) yield "said";
    }
    talk.say(rule);
  }

  /** Applies a patch; reads and rejects its hunks if it is skipped. */
  async *#apply(
    patch: FilePatch,
    direction: Direction,
    found: Target | undefined,
  ): Pieces {
    if (direction.skip) this.status = 1;
    const place = new PatchPlace(patch, direction, this.#settings, this.#files, this.#talk);
    try {
      await place.prepare(found, this.#wasGit);
      this.#wasGit = patch.git !== undefined;
      if (direction.skip) this.status = 1;
      const { target } = place;
      const lines = typeof target?.input === "object" ? target.input.lines : undefined;
      if (patch.prerequisite !== undefined && !direction.skip && patch.style !== "ed") {
        await checkPrerequisite(patch.prerequisite, lines, this.#settings, this.#talk);
      }
      if (patch.style !== "ed") place.announce();
      const result = new HeldBytes(this.#files.storage);
      const outcome = patch.style === "ed"
        ? await this.#edit(patch, direction, lines, result)
        : yield* this.#hunks(patch, direction, lines, result);
      if (target !== undefined && place.name !== undefined && !direction.skip) {
        if (this.#settings.output !== undefined) yield* this.#writer.output(result);
        else if (!(await this.#writer.finish(outcome, target, place.name)).clean) this.status = 1;
      }
      if (outcome.rejects.count > 0) this.status = 1;
      if (!place.dropsRejects) await this.#writer.reject(outcome, place.name);
      yield "said";
    } finally {
      await place.close();
    }
  }

  /** Applies the hunks of a patch. */
  async *#hunks(
    patch: FilePatch,
    direction: Direction,
    lines: LineFile | undefined,
    result: HeldBytes,
  ): AsyncGenerator<Chunk | "said", Outcome, void> {
    const { flags, rejectFormat } = this.#settings;
    const ignoreSpace = flags.has("ignoreSpace");
    const file = new PatchedFile(direction.skip ? undefined : lines, ignoreSpace, result);
    const rejects = new Rejects(patch, rejectFormat, this.#files.storage);
    const applier = new HunkApplier({
      settings: this.#settings,
      talk: this.#talk,
      patch,
      direction,
      file,
      rejects,
    });
    const reader = new HunkReader(this.#lines, patch, ignoreSpace);
    try {
      for (;;) {
        const hunk = await reader.next();
        if (hunk === undefined) break;
        await applier.apply(hunk, reader.style);
        yield "said";
      }
    } catch (error) {
      // What was put out until then stays.
      if (!direction.skip) yield* this.#writer.output(result);
      throw error;
    }
    if (!direction.skip) await file.end();
    const { hunks, mismatch } = applier;
    return { patch, direction, result, rejects, hunks, mismatch };
  }

  /** Applies an ed script, which has no hunks that could fail. */
  async #edit(
    patch: FilePatch,
    direction: Direction,
    lines: LineFile | undefined,
    result: HeldBytes,
  ): Promise<Outcome> {
    const { storage } = this.#files;
    const script = await readEdScript(this.#lines, patch.wrapping, storage);
    try {
      if (!direction.skip && !this.#settings.flags.has("dryRun")) {
        await new EdFile(lines, script, this.#io.signal).apply(result, this.#talk);
      }
    } finally {
      await script.close();
    }
    const rejects = new Rejects(patch, undefined, storage);
    return { patch, direction, result, rejects, hunks: 0, mismatch: false };
  }
}
