/** Kinds of marked text. */
export type Mark = "strong" | "faint" | "good" | "bad" | "warning";

const CODES: Readonly<Record<Mark, readonly [begin: string, end: string]>> = {
  strong: ["1", "22"],
  faint: ["2", "22"],
  good: ["32", "39"],
  bad: ["31", "39"],
  warning: ["33", "39"],
};

/** Marks text. */
export type Style = (mark: Mark, text: string) => string;

/** Returns a function that marks text with colours, or leaves it as it is. */
export function styleOf(color: boolean): Style {
  return (mark, text) => {
    if (!color || text === "") return text;
    const [begin, end] = CODES[mark];
    return `\x1b[${begin}m${text}\x1b[${end}m`;
  };
}
