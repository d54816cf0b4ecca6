/**
 * Bytes as text: blocks of lines, cursors over them, numbers as C prints them, quoting, UTF-8, and
 * the blocks in which output is collected.
 *
 * Everything here works on lent chunks and never makes a chunk for each line. It knows no command
 * and opens no files.
 *
 * @module
 */
export { ESCAPE_LETTERS, escapeByte, ESCAPED_BYTES } from "./c_escapes.ts";
export { columnsTable, NOT_PRINTABLE } from "./columns.ts";
export { countNewlines } from "./count.ts";
export { parseDouble } from "./double.ts";
export { EscapeError, EscapeReader, escapesHelp } from "./escapes.ts";
export { type Conversion, formatFloat, formatInteger } from "./format_number.ts";
export { LineBlocks } from "./line_blocks.ts";
export { LineCounter } from "./line_counter.ts";
export { compareBytes, findByte, KeptLine, LineCursor } from "./line_cursor.ts";
export { LineOutput } from "./line_output.ts";
export { LinePieces } from "./line_pieces.ts";
export { LINE_SHARE, LineReader, lineTooLong, MAX_LINE } from "./lines.ts";
export { Output, utf8 } from "./output.ts";
export { asciiQuotes, quote, quoteAlways, quoteName } from "./quote.ts";
export { hasShortLines } from "./short_lines.ts";
export { Space } from "./space.ts";
export { isTooWide, isWide, narrowed, putWide } from "./wide_number.ts";
