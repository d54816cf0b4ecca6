import { utf8 } from "./_output.ts";
import { type FilePatch, type Hunk, stripName } from "./_patch_parse.ts";

/** The heading of rejected hunks: in the patch's own style, that of a context diff for a normal one. */
export function rejectHeading(
  { style, old, new: fresh, index }: FilePatch,
  reversed: boolean,
  strip: number,
): string {
  const shown = (name: string | undefined): string | undefined => {
    const stripped = name === undefined ? undefined : stripName(name, strip);
    return stripped === undefined ? undefined : String.fromCharCode(...utf8(stripped));
  };
  const headings = [old, fresh].map(({ name, time }) => (shown(name) ?? "/dev/null") + time);
  if (reversed) headings.reverse();
  const [first, second] = headings;
  const indexed = shown(index);
  return (indexed === undefined ? "" : `Index: ${indexed}\n`) +
    (style === "unified" ? `--- ${first}\n+++ ${second}\n` : `*** ${first}\n--- ${second}\n`);
}

/** The text of a rejected hunk; `offset` is how far the result had shifted there. */
export function rejectedHunk({ style }: FilePatch, hunk: Hunk, offset: number): string {
  return style === "unified" ? unifiedHunk(hunk, offset) : contextHunk(hunk, offset);
}

function sizes({ lines }: Hunk): [number, number] {
  return [
    lines.filter(({ kind }) => kind !== "+").length,
    lines.filter(({ kind }) => kind !== "-").length,
  ];
}

function complete(text: string): string {
  return text.endsWith("\n") ? text : `${text}\n\\ No newline at end of file\n`;
}

function unifiedHunk(hunk: Hunk, offset: number): string {
  const [old, fresh] = sizes(hunk);
  const range = (start: number, size: number): string =>
    size === 0 ? `${start - 1},0` : size === 1 ? String(start) : `${start},${size}`;
  const lines = hunk.lines.map(({ kind, text }) => kind + complete(text));
  return `@@ -${range(hunk.first + offset, old)} +${range(hunk.newFirst + offset, fresh)} @@\n` +
    lines.join("");
}

function contextHunk(hunk: Hunk, offset: number): string {
  const [old, fresh] = sizes(hunk);
  const range = (first: number, size: number): string => {
    const start = first + offset;
    return size === 0 ? "0" : size === 1 ? String(start) : `${start},${start + size - 1}`;
  };
  const part = (kind: "-" | "+"): string =>
    hunk.lines.filter((line) => line.kind === kind)
      .map(({ text }) => `${kind} ${complete(text)}`).join("");
  return `***************\n*** ${range(hunk.first, old)}\n${part("-")}` +
    `--- ${range(hunk.newFirst, fresh)} -----\n${part("+")}`;
}
