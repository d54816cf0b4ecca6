/**
 * What a talk looks like on a terminal, as text to write: lines that stay, live rows below them,
 * words that are not broken. It writes nothing.
 */
export { type Cursor, Painter, widthOf } from "./painter.ts";
export { fitRow, wrapped } from "./rows.ts";
export { type Mark, type Style, styleOf } from "./style.ts";
export { WordWrap } from "./word_wrap.ts";
