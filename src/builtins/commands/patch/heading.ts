import { INSTEAD } from "./command.ts";
import { GitHeading, type Nonexistent } from "./git.ts";
import type { PatchLines } from "./lines.ts";
import { isEpoch, type PatchName, readGitNames, readNameLine } from "./names.ts";
import { PatchError } from "./talk.ts";

/** The kinds of patches; "binary" is git's, which cannot be applied. */
export type PatchStyle = "unified" | "context" | "normal" | "binary";

/** The statements of a patch's heading about one side. */
export interface Side {
  /** The file's name without its first components; `undefined` if missing or `/dev/null`. */
  readonly name: PatchName | undefined;
  /** The text after the name in the heading, which rejects repeat: a tab and a time. */
  readonly time: string;
  /** 2 if the file should not exist, 1 if it should not exist or be empty, 0 if neither. */
  readonly nonexistent: Nonexistent;
}

/** One patch: the changes of one file. */
export interface FilePatch {
  readonly style: PatchStyle;
  readonly old: Side;
  readonly new: Side;
  /** Index of the first line of the text before the first hunk, and of the hunk's first line. */
  readonly leading: number;
  readonly start: number;
  /** Number of the line at which the patch was recognized. */
  readonly line: number;
  /** True if carriage returns before newlines were added in transport. */
  readonly stripCr: boolean;
  /** The lines that git writes before hunks. */
  readonly git: GitHeading | undefined;
}

/** Options of looking for a patch. */
export interface HeadingOptions {
  /** Number of leading components to strip from names; -1 for all but the last. */
  readonly strip: number;
  /** Restricts the search to this style (`-c`, `-n`, `-u`). */
  readonly only: PatchStyle | undefined;
  /** True if the file was named on the command line, so that a patch needs no heading. */
  readonly named: boolean;
}

/** A side, as far as the heading's name lines describe it. */
interface Head {
  name?: PatchName | undefined;
  time: string;
  /** True if the file is `/dev/null`, or its time is the epoch. */
  absent: boolean;
}

/** The heading of a normal diff's hunk. */
const COMMAND = /^\d[\d,]*[acd][\d,]*[ \t]*\r?\n$/;
/** A command of an ed script, as `diff -e` writes them. */
const ED_COMMAND = /^(?:\d+(?:,\d+)?)?(?:[acdi]|s\/\.\/\/)[ \t]*\r?\n$/;

/**
 * Finds the next patch; `undefined` if there is none. Leaves `lines` before its first hunk.
 *
 * @throws {PatchError} If it is an ed script, or requires a version of the file (`Prereq:`).
 */
export async function findPatch(
  lines: PatchLines,
  options: HeadingOptions,
): Promise<FilePatch | undefined> {
  const patch = await new HeadingScan(lines, options).run();
  if (patch !== undefined) lines.at = patch.start;
  return patch;
}

class HeadingScan {
  readonly #lines: PatchLines;
  readonly #options: HeadingOptions;
  readonly #leading: number;
  #needsHeading: boolean;
  /** The text after `***`, `---` and `+++`. */
  readonly #stars: Head = { time: "", absent: false };
  readonly #minus: Head = { time: "", absent: false };
  readonly #plus: Head = { time: "", absent: false };
  #git: GitHeading | undefined;
  #stripCr = false;
  /** Numbers of the first lines with an ed command and with `Prereq:`. */
  #edLine: number | undefined;
  #prereqLine: number | undefined;

  constructor(lines: PatchLines, options: HeadingOptions) {
    this.#lines = lines;
    this.#options = options;
    this.#leading = lines.at;
    this.#needsHeading = !options.named && options.only !== "normal";
  }

  async run(): Promise<FilePatch | undefined> {
    const lines = this.#lines;
    const may = (style: PatchStyle): boolean => (this.#options.only ?? style) === style;
    let previous = { at: lines.at, line: "" };
    for (;;) {
      const line = await lines.next();
      const at = lines.at - 1;
      if (line === undefined) {
        if (this.#edLine !== undefined) throw refusedEd(this.#edLine);
        return this.#git?.found === true ? this.#patch("unified", lines.at, lines.at) : undefined;
      }
      if (line.startsWith("diff --git ") && this.#git?.found === true) {
        return this.#patch("unified", at, at + 1);
      }
      if (this.#git !== undefined && line.startsWith("GIT binary patch")) {
        return this.#patch("binary", at, at + 1);
      }
      const afterStars = previous.line.startsWith("********");
      this.#take(line, afterStars);
      if (!this.#needsHeading) {
        this.#refuseEd(line);
        if (may("unified") && line.startsWith("@@ -")) {
          return this.#patch("unified", at, at + 1, line);
        }
        if (may("context") && afterStars && line.startsWith("*** ")) {
          return await this.#context(previous.at, line);
        }
        if (may("normal") && COMMAND.test(previous.line) && /^[<>] /.test(line)) {
          this.#stripCr = previous.line.endsWith("\r\n");
          return this.#patch("normal", previous.at, previous.at + 1);
        }
      }
      previous = { at, line };
    }
  }

  /** Reads a line of the heading. */
  #take(line: string, afterStars: boolean): void {
    const { strip } = this.#options;
    const names: readonly (readonly [string, Head])[] = [
      ["*** ", this.#stars],
      ["--- ", this.#minus],
      ["+++ ", this.#plus],
    ];
    const [mark, head] = names.find(([mark]) => line.startsWith(mark)) ?? [];
    if (head !== undefined) {
      if (mark === "*** " && afterStars) return;
      this.#needsHeading = false;
      this.#stripCr = line.endsWith("\r\n");
      const read = readNameLine(line.slice(4), strip);
      if (read === "null") Object.assign(head, { name: undefined, time: "", absent: true });
      else if (read !== undefined) Object.assign(head, read, { absent: isEpoch(read.time) });
    } else if (line.startsWith("Prereq:")) {
      this.#prereqLine ??= this.#lines.at;
    } else if (line.startsWith("diff --git ")) {
      const [old, fresh] = readGitNames(line.slice(11), strip) ?? [];
      this.#minus.name = old;
      this.#plus.name = fresh;
      this.#git = new GitHeading();
      this.#needsHeading = false;
    } else {
      this.#git?.take(line, this.#lines.at);
    }
  }

  /** Refuses an ed script: an ed command, followed by a line that ends its text. */
  #refuseEd(line: string): void {
    if (this.#options.only !== undefined) return;
    if (ED_COMMAND.test(line)) this.#edLine ??= this.#lines.at;
    if (this.#edLine !== undefined && /^\.\r?\n$/.test(line)) throw refusedEd(this.#edLine);
  }

  /**
   * Reads a context diff up to its first hunk's new side, whose heading shows if the file is
   * removed.
   */
  async #context(start: number, line: string): Promise<FilePatch> {
    this.#stripCr = line.endsWith("\r\n");
    let next: string | undefined = line;
    while (next !== undefined && !next.startsWith("--- ")) next = await this.#lines.next();
    return this.#patch("context", start, start + 1, line, next);
  }

  /** Builds the patch. `ranges` are the lines with the line ranges of the first hunk. */
  #patch(
    style: PatchStyle,
    start: number,
    line: number,
    ...ranges: (string | undefined)[]
  ): FilePatch {
    if (this.#prereqLine !== undefined) {
      throw new PatchError(
        `Prereq: is not supported (line ${this.#prereqLine}); ` +
          "compare the file's version yourself and remove the line",
      );
    }
    const [oldRange = "", newRange = oldRange] = ranges;
    const side = ({ name, time, absent }: Head, isEmpty: boolean, i: 0 | 1): Side => ({
      name,
      time,
      nonexistent: isEmpty ? (absent ? 2 : 1) : this.#git?.nonexistent[i] ?? 0,
    });
    // A git heading may precede a context diff and name its old file.
    const stars = this.#stars.name === undefined && !this.#stars.absent ? this.#plus : this.#stars;
    const [old, fresh] = style === "context" ? [stars, this.#minus] : [this.#minus, this.#plus];
    return {
      style,
      old: side(old, EMPTY_OLD.test(oldRange), 0),
      new: side(fresh, EMPTY_NEW.test(newRange), 1),
      leading: this.#leading,
      start,
      line,
      stripCr: this.#stripCr,
      git: this.#git,
    };
  }
}

/** Headings of hunks whose old or new file has no lines. */
const EMPTY_OLD = /^(?:@@ -|\*\*\* )0(?!\d)/;
const EMPTY_NEW = /^(?:@@ -[^ \n]* +\+|--- )0(?!\d)/;

function refusedEd(line: number): PatchError {
  return new PatchError(`ed scripts are not supported (line ${line}); ${INSTEAD}`);
}
