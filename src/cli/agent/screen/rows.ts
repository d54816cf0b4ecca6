import { withoutColours } from "../../../base/mod.ts";
import { fit } from "../../text/mod.ts";
import { widthOf } from "./painter.ts";
import { WordWrap } from "./word_wrap.ts";

/** A row cut to so many columns. One that is cut loses its colours. */
export function fitRow(row: string, columns: number): string {
  if (widthOf(row) <= columns) return row;
  return fit(withoutColours(row), columns);
}

/** A text with its lines broken between words, so that they fit so many columns. */
export function wrapped(text: string, columns: number): string {
  const wrap = new WordWrap(() => columns + 1);
  wrap.begin();
  return wrap.add(text) + wrap.end();
}
