/**
 * Makes the text of a talk on a terminal: lines that stay, live rows below them, text wrapped
 * between words. It writes nothing itself.
 */
export { type Cursor, Painter, widthOf } from "./painter.ts";
export { fitRow, wrapped } from "./rows.ts";
export { type Mark, type Style, styleOf } from "./style.ts";
export { WordWrap } from "./word_wrap.ts";
