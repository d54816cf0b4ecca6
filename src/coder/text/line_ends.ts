import type { LineEnd } from "./text_format.ts";

/** The line ends of a text. */
export interface LineEnds {
  /** The line end that most lines have; `undefined` where no line ends. */
  readonly most: LineEnd | undefined;
  /** True where some lines end in LF and others in CRLF. */
  readonly mixed: boolean;
}

/**
 * The line ends of a text. A carriage return alone is one only where there are no line feeds, as in
 * files of the old Mac; else it is a character like others.
 */
export function lineEndsOf(text: string): LineEnds {
  let lf = 0;
  let crlf = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) {
    if (text[at - 1] === "\r") crlf++;
    else lf++;
  }
  const mixed = lf > 0 && crlf > 0;
  if (lf + crlf > 0) return { most: lf >= crlf ? "\n" : "\r\n", mixed };
  return { most: text.includes("\r") ? "\r" : undefined, mixed };
}

/** The text with all its line ends as given. */
export function withLineEnd(text: string, lineEnd: LineEnd): string {
  return lineEnd === "\r" ? text.replace(/\r?\n/g, "\r") : text.replace(/\r?\n/g, lineEnd);
}

/** A line end's name. */
export function lineEndName(lineEnd: LineEnd): "LF" | "CRLF" | "CR" {
  return lineEnd === "\n" ? "LF" : lineEnd === "\r" ? "CR" : "CRLF";
}
