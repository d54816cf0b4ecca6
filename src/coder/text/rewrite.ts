import { lineEndName, lineEndsOf, withLineEnd } from "./line_ends.ts";
import type { TextFormat } from "./text_format.ts";

/** New contents of a file and their format. */
export interface Rewrite {
  /** The text, with the line ends that it is written with and without a byte order mark. */
  readonly text: string;
  /** The format to write it in. */
  readonly format: TextFormat;
  /**
   * Notes on the file's format that was kept although the contents differ, and on changes to it.
   */
  readonly notes: readonly string[];
}

const BOM = "\ufeff";

/**
 * New contents in the format of the file that they replace: its encoding, its byte order mark and
 * its line ends. Only CRLF in the contents of a file with LF is taken as it is, as models write
 * that on purpose.
 */
export function rewrite(content: string, old: TextFormat): Rewrite {
  const marked = content.startsWith(BOM);
  const given = marked ? content.slice(BOM.length) : content;
  const text = old.lineEnd === undefined || old.lineEnd === "\n"
    ? given
    : withLineEnd(given, old.lineEnd);
  const kept = [
    ...old.encoding === "UTF-8" ? [] : [`in ${old.encoding}`],
    ...old.bom && !marked ? ["with a byte order mark"] : [],
    ...text !== given && old.lineEnd !== undefined
      ? [`with ${lineEndName(old.lineEnd)} line ends`]
      : [],
  ];
  const notes = [
    ...kept.length === 0 ? [] : [`Written ${kept.join(", ")}, as the file was`],
    ...marked && !old.bom ? ["The file begins with a byte order mark now"] : [],
    ...changeOfLineEnds(text, old),
  ];
  return { text, format: { ...old, bom: old.bom || marked, strays: 0 }, notes };
}

function changeOfLineEnds(text: string, old: TextFormat): string[] {
  const now = lineEndsOf(text);
  if (old.lineEnd === undefined || now.most === undefined) return [];
  const before = old.mixed ? "mixed" : lineEndName(old.lineEnd);
  const after = now.mixed ? "mixed" : lineEndName(now.most);
  return before === after ? [] : [`The line ends are ${after} now, they were ${before}`];
}
