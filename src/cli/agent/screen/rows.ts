import { withoutColours } from "../../../base/mod.ts";
import { fit } from "../../text/mod.ts";
import { widthOf } from "./painter.ts";
import { WordWrap } from "./word_wrap.ts";

/** Cuts a row to the given columns. A row that is cut loses its colours. */
export function fitRow(row: string, columns: number): string {
  if (widthOf(row) <= columns) return row;
  return fit(withoutColours(row), columns);
}

/** Breaks the lines of a text between words, so that they fit the given columns. */
export function wrapped(text: string, columns: number): string {
  const wrap = new WordWrap(() => columns + 1);
  wrap.begin();
  return wrap.add(text) + wrap.end();
}
