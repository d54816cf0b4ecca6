import { ContextHunks } from "./context.ts";
import { ED_COMMAND } from "./ed_script.ts";
import { GitHeading, type Nonexistent } from "./git.ts";
import { BARE, type PatchLines, type Wrapping } from "./lines.ts";
import { type PatchName, readGitNames, readNameLine } from "./names.ts";

/** The kinds of patches; "new-context" says at each hunk where its old lines end. */
export type PatchStyle = "unified" | "context" | "new-context" | "normal" | "ed" | "binary";

/** What the heading of a patch says of one side. */
export interface Side {
  /** The file's name, less its first parts; `undefined` for `/dev/null` or none. */
  readonly name: PatchName | undefined;
  /** What follows the name in the heading, as rejects repeat it: a tab and a time. */
  readonly time: string;
  /** Whether the file should not exist: 2, or not exist or be empty: 1. */
  readonly nonexistent: Nonexistent;
}

/** One patch: the changes of one file. */
export interface FilePatch {
  readonly style: PatchStyle;
  readonly old: Side;
  readonly new: Side;
  /** The name of an `Index:` line. */
  readonly index: PatchName | undefined;
  /** The word that the file must have, of a `Prereq:` line. */
  readonly prerequisite: string | undefined;
  /** Index of the first line of the text before the first hunk, and of the hunk's first line. */
  readonly leading: number;
  readonly start: number;
  /** Number of the first hunk's line. */
  readonly line: number;
  readonly wrapping: Wrapping;
  /** What git writes before hunks. */
  readonly git: GitHeading | undefined;
  /** How many lines of context the first hunk of a context diff begins with. */
  readonly contextBefore?: number | undefined;
}

/** How to look for a patch. */
export interface HeadingOptions {
  /** How many parts to take off names; -1 for all but the last. */
  readonly strip: number;
  /** Looks only for patches of this style (`-c`, `-e`, `-n`, `-u`). */
  readonly only: PatchStyle | undefined;
  /** Whether the file was named, so that a patch needs no heading. */
  readonly named: boolean;
  /** Whether white space counts loosely. */
  readonly ignoreSpace: boolean;
}

/** One of the lines that name files. */
interface Head {
  name: PatchName | undefined;
  time: string;
  epoch: boolean | undefined;
}

/** Where the first command of an ed script or a normal diff stands. */
interface Command {
  readonly at: number;
  readonly line: number;
  readonly ed: boolean;
  readonly indent: number;
}

/** Looks like the heading of a normal diff's hunk; an ed script may begin with one too. */
const COMMAND = /^\d[\d,]*[acd][\d,]*[ \t]*\r?\n$/;
const STARTS_COMMAND = /^\d[\d,]*[acd]/;

/**
 * Finds the next patch; `undefined` if there is none. Leaves `lines` before its first hunk.
 *
 * @throws {PatchError} If it is a context diff whose first hunk is malformed.
 */
export async function findPatch(
  lines: PatchLines,
  options: HeadingOptions,
): Promise<FilePatch | undefined> {
  const scan = new HeadingScan(lines, options);
  const patch = await scan.run();
  if (patch !== undefined) lines.seek(patch.start, patch.line - 1);
  return patch;
}

class HeadingScan {
  readonly #lines: PatchLines;
  readonly #options: HeadingOptions;
  readonly #leading: number;
  #needsHeading: boolean;
  /** What stands behind `---`, and behind `+++` or `***`. */
  readonly #minus: Head = { name: undefined, time: "", epoch: undefined };
  readonly #plus: Head = { name: undefined, time: "", epoch: undefined };
  #index: PatchName | undefined;
  #prerequisite: string | undefined;
  #git: GitHeading | undefined;
  #stripCr = false;
  #nesting = 0;
  /** Where the first command of an ed script or a normal diff stands. */
  #command: Command | undefined;

  constructor(lines: PatchLines, options: HeadingOptions) {
    this.#lines = lines;
    this.#options = options;
    this.#leading = lines.at;
    this.#needsHeading = !options.named && options.only !== "normal" && options.only !== "ed";
  }

  async run(): Promise<FilePatch | undefined> {
    const lines = this.#lines;
    const { only } = this.#options;
    /** What the line before was: where it began, a row of stars, the heading of a hunk. */
    let previous = 0;
    let at = lines.at;
    let stars = false;
    let indent = 0;
    let isCommand = false;
    for (;;) {
      previous = at;
      at = lines.at;
      const [afterCommand, afterStars, indentBefore] = [isCommand, stars, indent];
      const whole = await lines.next(BARE);
      if (whole === undefined) {
        if (this.#command?.ed === true) return this.#script(this.#command);
        return this.#git?.found === true
          ? this.#patch("unified", at, lines.number, this.#command?.indent ?? 0)
          : undefined;
      }
      const { number } = lines;
      const line = whole.replace(/^[ \tX]+/, "");
      indent = columnsOf(whole, whole.length - line.length);
      if (STARTS_COMMAND.test(line)) isCommand = COMMAND.test(line);
      const ed = ED_COMMAND.test(line);
      if (!this.#needsHeading && this.#command === undefined && (ed || isCommand)) {
        this.#command = { at, line: number, ed, indent };
        this.#stripCr = whole.endsWith("\r\n");
      }
      if (line.startsWith("diff --git ") && this.#git?.found === true) {
        return this.#patch("unified", at, number, this.#command?.indent ?? 0);
      }
      if (/^Prereq:[ \t\v\f\r]*[^ \t\n\v\f\r\0]+[ \t\v\f\r]+[^ \t\n\v\f\r\0]/.test(line)) {
        await lines.noteWords(at);
      }
      if (this.#git !== undefined && line.startsWith("GIT binary patch")) {
        return this.#patch("binary", at, number, this.#command?.indent ?? 0);
      }
      this.#take(line, whole.endsWith("\r\n"), afterStars, number);
      if (this.#needsHeading) continue;
      const may = (style: PatchStyle): boolean => only === undefined || only === style;
      if (may("ed") && this.#command !== undefined && line === ".\n") {
        return this.#script(this.#command);
      }
      if (may("unified") && line.startsWith("@@ -")) {
        return this.#patch("unified", at, number, indent, line);
      }
      stars = line.startsWith("********");
      if (may("context") && afterStars && indentBefore === indent && line.startsWith("*** ")) {
        this.#stripCr = whole.endsWith("\r\n");
        return await this.#context(previous, number - 1, indent, line);
      }
      if (may("normal") && afterCommand && /^[<>] /.test(line)) {
        return this.#patch("normal", previous, number - 1, indent);
      }
    }
  }

  /** Takes what a line of the heading says. */
  #take(line: string, crlf: boolean, afterStars: boolean, number: number): void {
    const { strip } = this.#options;
    if ((line.startsWith("*** ") && !afterStars) || line.startsWith("+++ ")) {
      this.#name(this.#plus, line.slice(4), true);
      if (line.startsWith("+")) this.#stripCr = crlf;
    } else if (line.startsWith("Index:")) {
      const read = readNameLine(line.slice(6), strip, false);
      if (typeof read === "object") this.#index = read.name;
      this.#needsHeading = false;
      this.#stripCr = crlf;
    } else if (line.startsWith("Prereq:")) {
      this.#prerequisite = /^[ \t\v\f\r]*([^ \t\n\v\f\r\0]+)/.exec(line.slice(7))?.[1];
    } else if (line.startsWith("diff --git ")) {
      const names = readGitNames(line.slice(11), strip);
      this.#plus.name = names?.[0];
      this.#minus.name = names?.[1];
      this.#git = new GitHeading();
      this.#needsHeading = false;
    } else {
      this.#git?.take(line, number);
      const [nested = ""] = /^(?:- )*/.exec(line) ?? [];
      if (!line.startsWith("--- ", nested.length)) return;
      this.#name(this.#minus, line.slice(nested.length + 4), false);
      if (this.#minus.epoch !== undefined) this.#nesting = nested.length / 2;
      this.#stripCr = crlf;
    }
  }

  /** Takes a name; without a time it leaves the one that was known, unless `forgets`. */
  #name(head: Head, text: string, forgets: boolean): void {
    this.#needsHeading = false;
    const read = readNameLine(text, this.#options.strip, true);
    if (read === "null") head.epoch = true;
    if (typeof read !== "object") return;
    head.name = read.name;
    head.time = read.time;
    if (forgets || read.epoch !== undefined) head.epoch = read.epoch;
  }

  #script({ at, line, indent }: Command): FilePatch {
    return this.#patch("ed", at, line, indent);
  }

  /** A context diff; its first hunk tells whether the file is gone behind it. */
  async #context(start: number, line: number, indent: number, range: string): Promise<FilePatch> {
    const style = range.endsWith("*\n") ? "new-context" : "context";
    const patch = this.#patch(style, start, line, indent);
    const lines = this.#lines;
    lines.seek(start, line - 1);
    const hunks = new ContextHunks(lines, style, patch.wrapping, this.#options.ignoreSpace);
    const hunk = await hunks.next();
    const says = (head: Head): Nonexistent => head.epoch === true ? 2 : 1;
    const gone = hunk?.newFirst === 1 && hunk.sides?.new.length === 0;
    return {
      ...patch,
      contextBefore: hunks.before,
      ...(/^\*\*\* 0(?!\d)/.test(range) && {
        old: { ...patch.old, nonexistent: says(this.#plus) },
      }),
      ...(gone && { new: { ...patch.new, nonexistent: says(this.#minus) } }),
    };
  }

  #patch(
    style: PatchStyle,
    start: number,
    line: number,
    indent: number,
    hunk = "",
  ): FilePatch {
    const nonexistent: [Nonexistent, Nonexistent] = this.#git?.nonexistent ?? [0, 0];
    // Only the heading of a unified hunk tells which side is which.
    const heads = hunk === "" ? [this.#plus, this.#minus] : [this.#minus, this.#plus];
    const empty = [/^@@ -0(?!\d)/, /^@@ -[^ \n]* +\+0(?!\d)/];
    const [old, fresh] = heads.map(({ name, time, epoch }, i): Side => ({
      name,
      time,
      nonexistent: empty[i]?.test(hunk) === true ? epoch === true ? 2 : 1 : nonexistent[i as 0 | 1],
    })) as [Side, Side];
    return {
      style,
      old,
      new: fresh,
      index: this.#index,
      prerequisite: this.#prerequisite,
      leading: this.#leading,
      start,
      line,
      wrapping: { indent, nesting: this.#nesting, stripCr: this.#stripCr },
      git: this.#git,
    };
  }
}

function columnsOf(line: string, length: number): number {
  let columns = 0;
  for (let i = 0; i < length; i++) columns = line[i] === "\t" ? (columns + 8) & ~7 : columns + 1;
  return columns;
}
