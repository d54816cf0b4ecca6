/** The part of lowlight that the page uses. */

/** A part of code: text, or an element with classes. */
export type HighlightNode =
  | { readonly type: "text"; readonly value: string }
  | {
    readonly type: "element";
    readonly properties: { readonly className?: readonly string[] };
    readonly children: readonly HighlightNode[];
  };

export const lowlight: {
  /** True if a language, or an alias of one, is known. */
  registered(language: string): boolean;
  highlight(language: string, code: string): { readonly children: readonly HighlightNode[] };
};
