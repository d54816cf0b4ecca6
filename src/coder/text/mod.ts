/** Text files as bytes: their encodings and line ends, and finding and replacing in their text. */
export { decodeText, encodeText, legible, wholeCharacters } from "./encoding.ts";
export { readNotes } from "./notes.ts";
export { type Replaced, replaceIn, type Replacement } from "./replacements.ts";
export { type Rewrite, rewrite } from "./rewrite.ts";
export {
  formatOf,
  plainFormat,
  type TextEncoding,
  type TextFormat,
  TextScan,
} from "./text_format.ts";
