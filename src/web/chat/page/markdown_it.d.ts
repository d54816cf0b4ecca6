/** The part of markdown-it that the page uses. */

/** A part of the text: the begin, the end, or both, of a block or of a span in a line. */
export interface Token {
  readonly type: string;
  readonly tag: string;
  readonly attrs: readonly (readonly [name: string, value: string | number])[] | null;
  /** The first line of a block, and the line after its last one. */
  readonly map: readonly [number, number] | null;
  /** 1: begins an element, -1: ends one, 0: is one. */
  readonly nesting: 1 | 0 | -1;
  /** The spans of a line of text. */
  readonly children: readonly Token[] | null;
  readonly content: string;
  /** The text after the fence of a code block. */
  readonly info: string;
  /** True for a paragraph of a tight list, which has no element. */
  readonly hidden: boolean;
}

/** The parser. */
export class MarkdownIt {
  constructor(preset: "default" | "commonmark", options: { html: boolean; linkify?: boolean });
  /** Takes backslashes and entities out of a text. */
  readonly utils: { unescapeAll(text: string): string };
  readonly linkify: { set(options: { fuzzyLink: boolean; fuzzyEmail: boolean }): unknown };
  parse(text: string, environment: Record<string, unknown>): readonly Token[];
}
