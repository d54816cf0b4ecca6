import { type Hunk, type HunkLine, HunkLines } from "./hunk.ts";
import type { PatchLines } from "./lines.ts";
import { PatchError } from "./talk.ts";

/** One line of a side of a hunk; `!` marks a line that the other side changes. */
interface SideLine {
  readonly mark: string;
  readonly text: string;
}

/** The lines of a file that the heading of a side specifies. */
interface Range {
  readonly first: number;
  readonly size: number;
}

/**
 * Reads a hunk of a context diff after its row of stars, `stars`. A side without changes may be
 * omitted: its lines are then the other side's context.
 *
 * @throws {PatchError} If the hunk is malformed.
 */
export async function readContextHunk(
  lines: PatchLines,
  stars: string,
  stripCr: boolean,
): Promise<Hunk> {
  return await new ContextHunk(lines, stripCr).read(/^\*+( [^\n]*)?/.exec(stars)?.[1] ?? "");
}

/** A hunk being read. */
class ContextHunk {
  readonly #lines: PatchLines;
  readonly #stripCr: boolean;
  /** Number of its first line after the stars. */
  readonly #begin: number;

  constructor(lines: PatchLines, stripCr: boolean) {
    this.#lines = lines;
    this.#stripCr = stripCr;
    this.#begin = lines.at + 1;
  }

  async read(heading: string): Promise<Hunk> {
    const oldRange = await this.#range(/^\*\*\* (\d+)(?:,(\d+))?(?: \*{4})?[ \t]*\r?\n$/);
    const given = await this.#side(oldRange.size, (line) => line?.startsWith("--- ") === true);
    const newRange = await this.#range(/^--- (\d+)(?:,(\d+))?(?: -{4,5})?[ \t]*\r?\n$/);
    const mayLack = given !== undefined && isContext(given, newRange.size);
    const fresh = await this.#side(newRange.size, (line) => mayLack && !LINE.test(line ?? "")) ??
      this.#context(given, newRange.size);
    const old = given ?? this.#context(fresh, oldRange.size);
    // Without context, an empty range names the line before.
    return {
      first: oldRange.first + (old.length < oldRange.size ? 1 : 0),
      newFirst: newRange.first + (fresh.length < newRange.size ? 1 : 0),
      lines: this.#merge(old, fresh),
      heading,
    };
  }

  async #next(): Promise<string> {
    const line = await this.#lines.next(this.#stripCr);
    if (line === undefined) throw new PatchError("unexpected end of file in patch");
    return line;
  }

  async #range(form: RegExp): Promise<Range> {
    const line = await this.#next();
    const match = form.exec(line);
    if (match === null) throw this.#lines.malformed(line);
    const [first = 0, last = first] = this.#lines.numbers(line, match.slice(1, 3));
    if (last < first - 1) throw this.#lines.malformed(line);
    return last === 0 ? { first: 1, size: 0 } : { first, size: last - first + 1 };
  }

  /** Reads the lines of a side; `undefined` if its first line shows that it was omitted. */
  async #side(
    size: number,
    isLeftOut: (line: string | undefined) => boolean,
  ): Promise<readonly SideLine[] | undefined> {
    const lines = this.#lines;
    const { at } = lines;
    if (size > 0 && isLeftOut(await lines.next(this.#stripCr))) {
      lines.at = at;
      return undefined;
    }
    lines.at = at;
    const side = new HunkLines<SideLine>();
    for (let left = size; left > 0; left--) {
      const line = await this.#next();
      // An editor may have removed the spaces from a blank line of context.
      const [, mark, text = ""] = LINE.exec(line === "\n" ? "  \n" : line) ?? [];
      if (mark === undefined) throw lines.malformed(line);
      const lacks = left === 1 && await lines.takesNote();
      side.add({ mark, text: lacks ? text.slice(0, -1) : text });
    }
    return side.all;
  }

  /** The lines of an omitted side: the context of the other one. */
  #context(other: readonly SideLine[] | undefined, size: number): readonly SideLine[] {
    if (other === undefined || !isContext(other, size)) throw this.#mangled();
    return other.filter(({ mark }) => mark === " ");
  }

  #merge(old: readonly SideLine[], fresh: readonly SideLine[]): HunkLine[] {
    const lines: HunkLine[] = [];
    let [i, j] = [0, 0];
    const remove = (): void => void lines.push({ kind: "-", text: old[i++]?.text ?? "" });
    const insert = (): void => void lines.push({ kind: "+", text: fresh[j++]?.text ?? "" });
    while (i < old.length || j < fresh.length) {
      const [mark, other] = [old[i]?.mark, fresh[j]?.mark];
      if (mark === "-") {
        remove();
      } else if (other === "+") {
        insert();
      } else if (mark === "!" && other === "!") {
        while (old[i]?.mark === "!") remove();
        while (fresh[j]?.mark === "!") insert();
      } else if (mark === " " && other === " ") {
        lines.push({ kind: " ", text: old[i++]?.text ?? "" });
        j++;
      } else {
        throw this.#mangled();
      }
    }
    if (lines.every(({ kind }) => kind === " ")) throw this.#mangled();
    return lines;
  }

  #mangled(): PatchError {
    return new PatchError(
      `replacement text or line numbers mangled in hunk at line ${this.#begin}`,
    );
  }
}

/** A line of a side: its mark, a space, and the text. */
const LINE = /^([ !+-])(?:[ \t]|(?=\n))([^]*)$/;

/**
 * True if the context of a side can be the whole other side, which has `size` lines. A size of 1
 * may also mean no lines: without context, an empty range names the line before.
 */
function isContext(side: readonly SideLine[], size: number): boolean {
  const count = side.filter(({ mark }) => mark === " ").length;
  return side.every(({ mark }) => mark !== "!") && (count === size || (count === 0 && size === 1));
}
