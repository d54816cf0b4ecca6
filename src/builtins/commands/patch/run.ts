import type { Chunk } from "../../../streams/mod.ts";
import type { BuiltinIo } from "../../builtin.ts";
import { blocksOf, type HeldInput } from "../../hold/mod.ts";
import type { PatchSettings } from "./command.ts";
import { Direction } from "./direction.ts";
import type { PatchFiles } from "./files.ts";
import { findTarget, givenTarget, isSafeName, type PatchTarget } from "./find.ts";
import { type FilePatch, findPatch } from "./heading.ts";
import { HunkApplier } from "./hunk_applier.ts";
import { readHunk } from "./hunks.ts";
import type { PatchLines } from "./lines.ts";
import { PatchError, type Talk } from "./talk.ts";
import { quoteName } from "../../text/mod.ts";

/** A result for standard output (`-o -`), or a sign that there are messages to print. */
type Pieces<Result = void> = AsyncGenerator<Chunk | "said", Result, void>;

/** The patch for an empty patch file: with a file and an output, it copies. */
const NO_PATCH: FilePatch = {
  style: "unified",
  old: { name: undefined, time: "", nonexistent: 0 },
  new: { name: undefined, time: "", nonexistent: 0 },
  leading: 0,
  start: 0,
  line: 1,
  stripCr: false,
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

  /** Creates a patcher, which has read nothing yet. */
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
  }

  /** Applies the patches and reports each hunk. */
  async *run(): Pieces {
    const { file, only, strip, output } = this.#settings;
    const lines = this.#lines;
    const isEmpty = await lines.isAtEnd();
    if (isEmpty && file !== undefined && output !== undefined) yield* this.#patch(NO_PATCH);
    for (let first = true; !await lines.isAtEnd(); first = false) {
      const patch = await findPatch(lines, {
        strip,
        only: first ? only : undefined,
        named: file !== undefined,
      });
      if (patch !== undefined) yield* this.#patch(patch);
      else if (first) throw new PatchError("Only garbage was found in the patch input.");
      // Otherwise it is garbage after the last patch.
    }
    await this.#files.flush();
    await this.#files.remove((name) => {
      this.#io.warn(`patch: ${quoteName(name)}: Files cannot be removed here; it is left empty`);
      this.status = 2;
    });
  }

  async *#patch(found: FilePatch): Pieces {
    const { file, flags, output } = this.#settings;
    const patch = { ...found, stripCr: found.stripCr && !flags.has("binary") };
    const direction = new Direction(this.#settings, this.#talk);
    // All patches of one git diff refer to the files before it, so a patch for a file with a queued
    // result begins another diff.
    const written = newName(patch, direction) ?? file ?? (patch.new.name ?? patch.old.name)?.name;
    if (patch.git === undefined || (written !== undefined && this.#files.isQueued(written))) {
      await this.#files.flush();
    }
    const target = file === undefined
      ? await findTarget(patch, this.#files, direction, this.#talk)
      : await givenTarget(file, patch, this.#files, direction);
    try {
      // A skipped patch has no location for its rejects.
      const name = direction.skip || target === undefined
        ? undefined
        : output ?? newName(patch, direction) ?? target.name;
      if (!direction.skip) yield* this.#check(patch, direction, target, name);
      const applier = yield* this.#hunks(patch, direction, target, name);
      const { rejects } = applier;
      if (direction.skip || rejects.count > 0) this.status = 1;
      if (target !== undefined && name !== undefined && !direction.skip) {
        if (output !== undefined) yield* this.#output(await applier.result.finish(), output);
        else await this.#finish(patch, direction, applier, target, name);
      }
      if (rejects.count > 0) await this.#reject(applier, direction, name);
      yield "said";
    } finally {
      if (typeof target?.input === "object") await target.input.close();
    }
  }

  /**
   * Skips a patch that cannot be applied, and reports the reason.
   *
   * @throws {PatchError} If the patch needs something that the file ports cannot do.
   */
  async *#check(
    patch: FilePatch,
    direction: Direction,
    target: PatchTarget | undefined,
    name = "",
  ): Pieces {
    const { git, style, stripCr } = patch;
    const talk = this.#talk;
    const skip = (why: string): void => {
      direction.skip = true;
      talk.say(why);
    };
    const isNamed = [patch.old, patch.new].every(({ name }) => name && isSafeName(name.name));
    if (git?.move !== undefined && (target === undefined || !isNamed)) {
      return skip(`Cannot ${git.move} file without two valid file names\n`);
    }
    if (stripCr && !talk.silent) {
      talk.say("(Stripping trailing CRs from patch; use --binary to disable.)\n");
    }
    if (target === undefined) {
      yield* this.#tellNotFound(patch);
      return skip("");
    }
    git?.check(direction.reverse, this.#files.setsModes);
    if (target.input === "folder") {
      skip(`File ${quoteName(target.name)} is not a regular file -- refusing to patch\n`);
    } else if (style === "binary") {
      skip(`File ${quoteName(name)}: git binary diffs are not supported.\n`);
    }
  }

  async *#tellNotFound({ line, style, leading, start }: FilePatch): Pieces {
    const { strip, flags } = this.#settings;
    const talk = this.#talk;
    if (!talk.silent) {
      talk.say(`can't find file to patch at input line ${line}\n`);
      const advice = strip < 0 ? "should have used the" : "used the wrong";
      if (style !== "normal") talk.say(`Perhaps you ${advice} -p or --strip option?\n`);
    }
    if (leading < start) {
      const rule = "--------------------------\n";
      talk.say(`The text leading up to this was:\n${rule}`);
      for await (const text of this.#lines.between(leading, start)) {
        talk.sayBytes(`|${text}`);
        if (talk.size > 32768) yield "said";
      }
      talk.say(rule);
    }
    if (flags.has("force") || flags.has("batch")) {
      talk.say("No file to patch.  Skipping patch.\n");
    } else {
      talk.say("File to patch: \nSkip this patch? [y] \n");
      if (!talk.silent) talk.say("Skipping patch.\n");
    }
  }

  /**
   * Reports the file being patched, and applies the hunks; rejects them if the patch is skipped.
   */
  async *#hunks(
    patch: FilePatch,
    direction: Direction,
    target: PatchTarget | undefined,
    name: string | undefined,
  ): Pieces<HunkApplier> {
    const input = direction.skip ? undefined : target?.input;
    const lines = typeof input === "object" ? input.lines : undefined;
    if (target !== undefined && name !== undefined && !direction.skip && !this.#talk.silent) {
      const doing = this.#settings.flags.has("dry-run") ? "checking" : "patching";
      this.#talk.say(`${doing} file ${quoteName(name)}${origin(patch, target, name)}\n`);
    }
    const applier = new HunkApplier(
      patch,
      direction,
      lines,
      this.#settings,
      this.#talk,
      this.#files.storage,
    );
    for (;;) {
      const hunk = await readHunk(this.#lines, patch);
      if (hunk === undefined) break;
      await applier.apply(hunk);
      yield "said";
    }
    if (!direction.skip) await applier.end();
    return applier;
  }

  /** Appends a result to the file of `-o`, or yields its pieces for standard output. */
  async *#output(bytes: HeldInput, output: string): Pieces {
    if (output === "-") yield* blocksOf(bytes);
    else await this.#files.append(output, bytes);
    await bytes.close();
  }

  /** Writes a result to its file, or marks the file for removal if the patch has emptied it. */
  async #finish(
    patch: FilePatch,
    direction: Direction,
    { result, rejects, hunks, mismatch }: HunkApplier,
    { name: from, input }: PatchTarget,
    name: string,
  ): Promise<void> {
    const { flags, backUpMismatch } = this.#settings;
    const [files, git] = [this.#files, patch.git];
    const backUp = flags.has("backup") || (backUpMismatch && (mismatch || rejects.count > 0));
    const gone = direction.saysNonexistent(patch, true) === 2;
    if (gone && result.size > 0) {
      this.status = 1;
      if (!this.#talk.silent) {
        this.#talk.say(`Not deleting file ${quoteName(name)} as content differs from patch\n`);
      }
    }
    if (flags.has("dry-run")) return;
    if (result.size === 0 && (gone || flags.has("remove-empty-files"))) {
      return files.removeLater(name, backUp);
    }
    const newMode = git?.newMode(direction.reverse);
    const later = git !== undefined;
    if (rejects.count === hunks && newMode === undefined && git?.move === undefined) {
      return await files.put({ name, bytes: undefined, backUp, mode: undefined }, later);
    }
    const isOther = name !== from && input !== "missing";
    const mode = newMode ?? (isOther ? await files.modeOf(from) : undefined);
    if (typeof input === "object") await input.close();
    const bytes = await result.finish();
    await files.put({ name, bytes, backUp, mode }, later);
    await bytes.close();
    if (git?.move === "rename" && name !== from) files.removeLater(from, backUp);
  }

  /** Reports the number of rejected hunks, and writes them next to the result, if there is one. */
  async #reject(
    { rejects, hunks }: HunkApplier,
    direction: Direction,
    name: string | undefined,
  ): Promise<void> {
    const { flags, reject } = this.#settings;
    const what = direction.skip ? "ignored" : "FAILED";
    this.#talk.say(`${rejects.count} out of ${hunks} hunk${hunks === 1 ? "" : "s"} ${what}`);
    if (name === undefined || flags.has("dry-run") || reject === "-") return this.#talk.say("\n");
    const file = reject ?? `${name}.rej`;
    this.#talk.say(` -- saving rejects to file ${quoteName(file)}\n`);
    const bytes = await rejects.finish();
    await this.#files.append(file, bytes, reject === undefined);
    await bytes.close();
  }
}

/** The new name in a rename or copy, if it is safe. */
function newName({ git, old, new: fresh }: FilePatch, direction: Direction): string | undefined {
  const name = (direction.reverse ? old : fresh).name?.name;
  return git?.move !== undefined && name !== undefined && isSafeName(name) ? name : undefined;
}

/** A note for the output if the file's contents come from another file. */
function origin({ git, old, new: fresh }: FilePatch, target: PatchTarget, name: string): string {
  const done = git?.move === "copy" ? "copied" : git?.move === "rename" ? "renamed" : "read";
  if (name !== target.name) return ` (${done} from ${target.name})`;
  const other = (target.name === old.name?.name ? fresh : old).name?.name;
  return git?.move === "rename" ? ` (already renamed from ${other})` : "";
}
