/** What the page uses of lowlight. */

/** A part of code: text, or an element with classes. */
export type HighlightNode =
  | { readonly type: "text"; readonly value: string }
  | {
    readonly type: "element";
    readonly properties: { readonly className?: readonly string[] };
    readonly children: readonly HighlightNode[];
  };

export const lowlight: {
  /** Whether a language, or another name of one, is known. */
  registered(language: string): boolean;
  highlight(language: string, code: string): { readonly children: readonly HighlightNode[] };
};
