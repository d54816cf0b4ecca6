import { LimitError } from "../streams/mod.ts";
import { type TextLines, toUnicode } from "./_patch_text.ts";

/** A patch that cannot be used: GNU's message, without `patch: **** `. */
export class PatchError extends Error {
  override readonly name = "PatchError";
}

/** One line of a hunk; the text keeps its newline, if it has one. */
export interface HunkLine {
  readonly kind: " " | "-" | "+";
  readonly text: string;
}

/** One hunk. Line numbers count from 1; where a side is empty, they name the line after. */
export interface Hunk {
  readonly first: number;
  readonly newFirst: number;
  readonly lines: readonly HunkLine[];
}

/** What the heading of a patch says of one side. */
export interface Side {
  /** The file's name before `-p` takes parts of it; `undefined` for `/dev/null` or none. */
  readonly name: string | undefined;
  /** What follows the name in the heading, as rejects repeat it: a tab and a time. */
  readonly time: string;
  /** 2 if the file should not exist, 1 if it should not exist or be empty. */
  readonly nonexistent: 0 | 1 | 2;
}

/** One patch: the changes of one file. */
export interface FilePatch {
  readonly style: "unified" | "normal";
  readonly old: Side;
  readonly new: Side;
  /** The name of an `Index:` line. */
  readonly index: string | undefined;
  /** The text before the first hunk, for the reader who has to find the file: its first line. */
  readonly leading: number;
  /** Number of the first hunk's line. */
  readonly line: number;
  /** Whether the patch's lines end in CR LF, so that the CRs belong to its transport. */
  readonly stripCr: boolean;
}

const UNIFIED = /^@@ -(\d+)(?:,(\d+))? ?\+(\d+)(?:,(\d+))? ?@/;
/** What makes a line the heading of a hunk, right or not. */
const HUNK = "@@ -";
/** The heading of a hunk up to where a number is missing. */
const NUMBER_MISSING = /^@@ -(?:\d+,|\d+(?:,\d+)? ?\+(?:\d+,)?|)(?!\d)/;
const NORMAL = /^(\d+)(?:,(\d+))?([acd])(\d+)(?:,(\d+))?\r?\n?$/;
const ED = /^\d+(?:,\d+)?[acd]\r?\n?$/;
const NO_NEWLINE = "\\";
const EPOCH = /\t(?:1970-01-01 00:00:00|1969-12-31 |Thu Jan +1 00:00:00 1970)/;

/** Reads patches one after another, and their hunks. */
export class PatchReader {
  readonly #lines: TextLines;
  readonly #binary: boolean;
  readonly #named: boolean;
  #at = 0;
  #stripCr = false;

  #only: FilePatch["style"] | undefined;
  #notes: string[] = [];
  /** Whether it was noted that the patch or hunk ends within a line. */
  #noted = false;
  /** Lines that do not count where messages tell numbers. */
  #uncounted = 0;

  /**
   * Makes a reader of a patch file's lines; `binary` keeps carriage returns, `only` looks for
   * a first patch of that style. A patch without any heading is none, unless `named` says that the
   * file was given.
   */
  constructor(lines: TextLines, binary: boolean, named: boolean, only?: FilePatch["style"]) {
    this.#lines = lines;
    this.#binary = binary;
    this.#named = named;
    this.#only = only;
  }

  /** What there was to say since the last call. */
  takeNotes(): readonly string[] {
    const notes = this.#notes;
    this.#notes = [];
    return notes;
  }

  /** A line; as for GNU's, a last one without newline is none. */
  async #line(i: number): Promise<string | undefined> {
    const line = await this.#lines.at(i);
    if (line === undefined || line.endsWith("\n")) return line;
    if (!this.#noted) this.#notes.push("patch unexpectedly ends in middle of line\n");
    this.#noted = true;
    return undefined;
  }

  /** Whether nothing is left. */
  async isAtEnd(): Promise<boolean> {
    return await this.#lines.at(this.#at) === undefined;
  }

  /** The lines before a patch's first hunk. */
  async *leading({ leading, line }: FilePatch): AsyncGenerator<string, void, void> {
    const lines = this.#lines.again();
    for (let i = leading; i < line - 1; i++) yield await lines.at(i) ?? "";
  }

  /**
   * Finds the next patch; `undefined` if there is none. Leaves the reader before its first hunk.
   *
   * @throws {PatchError} If it is of a kind that is not read here.
   */
  async nextPatch(): Promise<FilePatch | undefined> {
    this.#noted = false;
    const start = this.#at;
    let old: string | undefined;
    let fresh: string | undefined;
    let index: string | undefined;
    /** Lines of headings, and whether all of them end in CR LF. */
    let marked = 0;
    let crlf = true;
    let headed = this.#named;
    /** What an ed script would begin with. */
    let deletes = false;
    let insertion = false;
    let following = await this.#line(start);
    for (let i = start; following !== undefined; i++) {
      const line: string = following;
      headed ||= /^(?:--- |\+\+\+ |Index:|diff --git )/.test(line);
      const unified = this.#only !== "normal" && headed && line.startsWith(HUNK);
      if (!unified) following = await this.#line(i + 1);
      const next: string = unified ? "" : following ?? "";
      if (/^(?:rename|copy) (?:from|to) |^GIT binary patch/.test(line)) {
        throw new PatchError(
          `${line.startsWith("G") ? "Git binary diffs" : "Renames and copies"} ` +
            `are not supported (line ${i + 1})`,
        );
      }
      // The file port knows no modes: 100644 is what a new file gets, anything else would be lost.
      if (/^new mode |^new file mode (?!100644)/.test(line)) {
        throw new PatchError(
          `File modes are not supported (line ${i + 1}): ${line.trimEnd()}`,
        );
      }
      if (line.startsWith("--- ")) old = line.slice(4);
      else if (line.startsWith("+++ ")) fresh = line.slice(4);
      else if (line.startsWith("Index:")) index = headingName(line.slice(6));
      else if (/^\*{15}/.test(line) && next.startsWith("*** ")) {
        throw new PatchError(
          `Context diffs are not supported, only unified and normal ones (line ${i + 1})`,
        );
      }
      const normal = this.#only !== "unified" && NORMAL.test(line) && /^[<>] /.test(next) &&
        (this.#named || index !== undefined ||
          [old, fresh].some((each) => each !== undefined && headingName(each) !== undefined));
      if (ED.test(line) && !normal && start === i) {
        if (!line.includes("d")) insertion = true;
        else deletes = true;
      } else if (insertion && line === ".\n") {
        throw new PatchError(`ed scripts are not supported (line ${start + 1})`);
      }
      if (!unified && !normal) {
        if (!/^(?:---|\+\+\+|Index:)/.test(line)) continue;
        marked++;
        crlf &&= line.endsWith("\r\n");
        continue;
      }
      this.#at = i;
      this.#only = undefined;
      this.#stripCr = !this.#binary && marked > 1 && crlf;
      const side = (heading: string | undefined, empty: boolean): Side => ({
        name: heading === undefined ? undefined : headingName(heading),
        time: /[\t ][^]*$/.exec(heading?.replace(/\r?\n$/, "") ?? "")?.[0] ?? "",
        nonexistent: !empty ? 0 : heading !== undefined &&
            (heading.trimEnd() === "/dev/null" || heading.startsWith("/dev/null\t") ||
              EPOCH.test(heading))
          ? 2
          : 1,
      });
      return {
        style: unified ? "unified" : "normal",
        old: side(old, unified && /^@@ -0(?!\d)/.test(line)),
        new: side(fresh, unified && /^@@ -[^ \n]* *\+0(?!\d)/.test(line)),
        index,
        leading: start,
        line: i + 1,
        stripCr: this.#stripCr,
      };
    }
    if (deletes) throw new PatchError(`ed scripts are not supported (line ${start + 1})`);
    return undefined;
  }

  /** Reads the next hunk of the current patch; `undefined` if what follows is none. */
  async nextHunk(style: FilePatch["style"]): Promise<Hunk | undefined> {
    this.#noted = false;
    return style === "unified" ? await this.#unified() : await this.#normal();
  }

  /** The next line, without a CR that the transport added. */
  async #take(): Promise<string | undefined> {
    const line = await this.#line(this.#at);
    if (line === undefined) return undefined;
    this.#at++;
    return this.#stripCr && line.endsWith("\r\n") ? `${line.slice(0, -2)}\n` : line;
  }

  /** Number of the line that was read last, as messages tell it. */
  get #number(): number {
    return this.#at - this.#uncounted;
  }

  #malformed(line: string): PatchError {
    return new PatchError(
      `malformed patch at line ${this.#number}: ${line.endsWith("\n") ? line : `${line}\n`}`,
    );
  }

  async #unified(): Promise<Hunk | undefined> {
    const heading = await this.#line(this.#at);
    if (heading?.startsWith(HUNK) !== true) return undefined;
    this.#at++;
    const match = UNIFIED.exec(heading);
    if (match === null) {
      if (!NUMBER_MISSING.test(heading)) throw this.#malformed(heading);
      throw new PatchError(`missing line number at line ${this.#number}: ${heading}`);
    }
    const [, first, oldSize = "1", newFirst, newSize = "1"] = match;
    let old = Number(oldSize);
    let fresh = Number(newSize);
    const lines = new HunkLines();
    let last = `--- ${Number(newFirst) + 1},${newFirst} ----\n`;
    while (old > 0 || fresh > 0) {
      const line = await this.#take();
      // Blank lines at the end may have been lost on the way.
      if (line === undefined && fresh > 3) throw new PatchError("unexpected end of file in patch");
      const text = line ?? " \n";
      const blank = text === "\n" || text.startsWith("\t");
      const kind = blank ? " " : text[0];
      if (kind === "-" && old > 0) old--;
      else if (kind === "+" && fresh > 0) fresh--;
      else if (kind === " " && old > 0 && fresh > 0) {
        old--;
        fresh--;
      } else {
        throw this.#malformed(text);
      }
      last = text;
      const plain = blank ? text : text.slice(1);
      // Only the last line of a side can be said to lack its newline.
      const ends = kind === "-" ? old === 0 : kind === "+" ? fresh === 0 : old === 0 || fresh === 0;
      lines.add(kind, ends ? await this.#completed(plain) : completed(plain));
    }
    // A hunk that changes nothing is none.
    if (lines.all.every(({ kind }) => kind === " ")) throw this.#malformed(last);
    return {
      first: Number(first) + (Number(oldSize) === 0 ? 1 : 0),
      newFirst: Number(newFirst) + (Number(newSize) === 0 ? 1 : 0),
      lines: lines.all,
    };
  }

  /** Takes a line's newline away if the patch says next that there is none. */
  async #completed(text: string): Promise<string> {
    const complete = completed(text);
    if ((await this.#lines.at(this.#at))?.startsWith(NO_NEWLINE) !== true) return complete;
    this.#at++;
    this.#uncounted++;
    return complete.slice(0, -1);
  }

  async #normal(): Promise<Hunk | undefined> {
    const match = NORMAL.exec(await this.#line(this.#at) ?? "");
    if (match === null) return undefined;
    const heading = await this.#take() ?? "";
    const [, from, to = from, command, newFrom, newTo = newFrom] = match;
    const old = command === "a" ? 0 : Number(to) - Number(from) + 1;
    const fresh = command === "d" ? 0 : Number(newTo) - Number(newFrom) + 1;
    if (old < 0 || fresh < 0) throw this.#malformed(heading);
    const lines = new HunkLines();
    const read = async (mark: "<" | ">", kind: "-" | "+"): Promise<void> => {
      const line = await this.#take();
      if (line === undefined) {
        throw new PatchError(`unexpected end of file in patch at line ${this.#number}`);
      }
      if (!line.startsWith(`${mark} `) && line !== `${mark}\n`) {
        throw new PatchError(`'${mark}' expected at line ${this.#number} of patch`);
      }
      lines.add(kind, await this.#completed(line.slice(line[1] === " " ? 2 : 1)));
    };
    for (let i = 0; i < old; i++) await read("<", "-");
    if (command === "c") {
      if ((await this.#take())?.startsWith("-") !== true) {
        throw new PatchError(`'---' expected at line ${this.#number} of patch`);
      }
    }
    for (let i = 0; i < fresh; i++) await read(">", "+");
    return {
      first: Number(from) + (old === 0 ? 1 : 0),
      newFirst: Number(newFrom) + (fresh === 0 ? 1 : 0),
      lines: lines.all,
    };
  }
}

/** What the lines of one hunk may take, in bytes; each counts for its overhead too. */
const MAX_HUNK = 48 * 1024 * 1024;
const LINE_OVERHEAD = 64;

/** The lines of one hunk, which is held in memory. */
class HunkLines {
  readonly all: HunkLine[] = [];
  #size = 0;

  add(kind: HunkLine["kind"], text: string): void {
    this.all.push({ kind, text });
    this.#size += text.length + LINE_OVERHEAD;
    if (this.#size <= MAX_HUNK) return;
    throw new LimitError(
      { name: "hunk size", max: MAX_HUNK },
      `A hunk of the patch takes more than ${MAX_HUNK} bytes; make the patch with fewer lines of context ` +
        "or in several steps",
    );
  }
}

const LETTERS: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

/** The file name of a heading: up to a tab or white space before a time; `/dev/null` is none. */
function headingName(heading: string): string | undefined {
  const text = heading.replace(/^[ \t]+/, "");
  const [, quoted] = /^"((?:[^"\\]|\\[^])*)"/.exec(text) ?? [];
  let name: string;
  if (quoted !== undefined) {
    name = quoted.replace(
      /\\([0-7]{3}|[^])/g,
      (_, escape: string) =>
        /^\d/.test(escape)
          ? String.fromCharCode(parseInt(escape, 8) & 255)
          : LETTERS[escape] ?? escape,
    );
  } else {
    const tab = text.indexOf("\t");
    name = tab >= 0 ? text.slice(0, tab).trimEnd() : text.split(/\s/)[0] ?? "";
  }
  return name === "" || name === "/dev/null" ? undefined : toUnicode(name);
}

/** Takes `count` leading parts off a name, all but the last if that is -1; `undefined` if it has fewer. */
export function stripName(name: string, count: number): string | undefined {
  let rest = name;
  for (let left = count; left !== 0; left--) {
    const [, after] = /^[^/]*\/+([^]*)$/.exec(rest) ?? [];
    if (after === undefined) {
      if (count < 0) break;
      return undefined;
    }
    rest = after;
  }
  return rest === "" ? undefined : rest;
}

function completed(text: string): string {
  return text.endsWith("\n") ? text : `${text}\n`;
}
