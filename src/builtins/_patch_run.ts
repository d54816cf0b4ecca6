import type { Chunk } from "../streams/mod.ts";
import type { BuiltinIo } from "./builtin.ts";
import { HeldBytes } from "./_held_bytes.ts";
import { PatchedFile } from "./_patch_apply.ts";
import { Direction } from "./_patch_direction.ts";
import type { PatchFiles } from "./_patch_files.ts";
import { findTarget, givenTarget, type Target } from "./_patch_find.ts";
import { type FilePatch, findPatch } from "./_patch_heading.ts";
import { HunkApplier } from "./_patch_hunk_applier.ts";
import { HunkReader } from "./_patch_hunks.ts";
import { BARE, type PatchLines } from "./_patch_lines.ts";
import type { PatchSettings } from "./_patch_options.ts";
import { checkPrerequisite } from "./_patch_prereq.ts";
import { Rejects } from "./_patch_reject.ts";
import { ResultWriter } from "./_patch_result.ts";
import { PatchError, type Talk } from "./_patch_talk.ts";
import { toUnicode } from "./_patch_text.ts";
import { quoteName } from "./_quote.ts";

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
    const { file, output } = this.#settings;
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
        throw new PatchError("Only garbage was found in the patch input.");
      }
      if (!first || file === undefined || output === undefined) break;
      yield* this.#copy(direction);
    }
    for await (const name of this.#files.removals((left) => this.#leave(left))) {
      if (talk.verbose) talk.say(`Removing file ${quoteName(name)}\n`);
    }
  }

  async #find(first: boolean): Promise<FilePatch | undefined> {
    const { only, strip, file } = this.#settings;
    return await findPatch(this.#lines, {
      strip,
      only: first ? only : undefined,
      named: file !== undefined,
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
      talk.say(`  ${first ? "L" : "The next patch l"}ooks like a ${patch.style} diff to me...\n`);
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
    if (style === "normal") return;
    const advice = this.#settings.strip < 0 ? "should have used the" : "used the wrong";
    this.#talk.say(`Perhaps you ${advice} -p or --strip option?\n`);
  }

  async *#leading({ leading, start }: FilePatch): Pieces {
    if (leading === start) return;
    const talk = this.#talk;
    const rule = "--------------------------\n";
    talk.say(`The text leading up to this was:\n${rule}`);
    for await (const line of this.#lines.between(leading, start)) {
      talk.say(`|${toUnicode(line)}`);
      if (talk.size > 32768) yield "said";
    }
    talk.say(rule);
  }

  /** Applies the hunks of a patch; reads and rejects them if it is skipped. */
  async *#apply(patch: FilePatch, direction: Direction, target: Target | undefined): Pieces {
    const { flags, output } = this.#settings;
    const talk = this.#talk;
    const input = target?.input;
    /** What rejects are named after: nothing if the patch was skipped before. */
    const outname = direction.skip ? undefined : output ?? target?.name;
    if (direction.skip) this.status = 1;
    try {
      if (target?.input === "folder" && !direction.skip) {
        talk.say(`File ${quoteName(target.name)} is not a regular file -- refusing to patch\n`);
        direction.skip = true;
        this.status = 1;
      }
      const lines = typeof input === "object" && !direction.skip ? input.lines : undefined;
      if (!direction.skip) patch.git?.check(direction.reverse);
      if (patch.prerequisite !== undefined && !direction.skip) {
        await checkPrerequisite(patch.prerequisite, lines, this.#settings, talk);
      }
      if (target !== undefined && !direction.skip && !talk.silent) {
        const isOther = output !== undefined && output !== target.name;
        const from = isOther ? ` (read from ${target.name})` : "";
        const doing = flags.has("dryRun") ? "checking" : "patching";
        talk.say(`${doing} file ${quoteName(output ?? target.name)}${from}\n`);
        if (talk.verbose) talk.say("Using Plan A...\n");
      }
      const result = new HeldBytes(this.#files.storage);
      const file = new PatchedFile(lines, flags.has("ignoreSpace"), result);
      const rejects = new Rejects(patch, this.#files.storage);
      const applier = new HunkApplier({
        settings: this.#settings,
        talk,
        patch,
        direction,
        file,
        rejects,
      });
      const reader = new HunkReader(this.#lines, patch.style, patch.wrapping);
      try {
        for (;;) {
          const hunk = await reader.next();
          if (hunk === undefined) break;
          await applier.apply(hunk);
          yield "said";
        }
      } catch (error) {
        // What was put out until then stays.
        if (!direction.skip) yield* this.#writer.output(result);
        throw error;
      }
      const { hunks, mismatch } = applier;
      const outcome = { patch, direction, result, rejects, hunks, mismatch };
      if (target !== undefined && !direction.skip) {
        await file.end();
        if (output !== undefined) yield* this.#writer.output(result);
        else if (!(await this.#writer.finish(outcome, target)).clean) this.status = 1;
      }
      if (rejects.count > 0) this.status = 1;
      await this.#writer.reject(outcome, outname);
      yield "said";
    } finally {
      if (typeof input === "object") await input.close();
    }
  }
}
