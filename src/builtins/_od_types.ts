import { ESCAPE_LETTERS, escapeByte } from "./_c_escapes.ts";
import { InvalidArgument } from "./_command.ts";
import { doubleText, floatText, longDoubleText } from "./_od_float.ts";
import { quote } from "./_quote.ts";

/** One way of writing the bytes of a line. */
export interface OdType {
  /** Bytes of one item. */
  readonly size: number;
  /** Columns of one item, without the space before it. */
  readonly width: number;
  /** Whether printable characters follow the line (`z`). */
  readonly trailer: boolean;
  /** Writes the item at `at`, at most `width` columns. */
  text(view: DataView, at: number): string;
  /** What `text` writes of each byte, with a space before it, where items are bytes. */
  readonly table?: readonly string[];
}

/** Adds the table of an item of one byte. */
function withTable(type: OdType): OdType {
  if (type.size > 1) return type;
  const view = new DataView(new ArrayBuffer(1));
  const table = Array.from({ length: 256 }, (_, byte) => {
    view.setUint8(0, byte);
    return ` ${type.text(view, 0).padStart(type.width)}`;
  });
  return { ...type, table };
}

const NAMES = ("nul soh stx etx eot enq ack bel bs ht nl vt ff cr so si dle dc1 dc2 dc3 dc4 nak " +
  "syn etb can em sub esc fs gs rs us sp").split(" ");

function named(byte: number): string {
  const low = byte & 127;
  return low === 127 ? "del" : NAMES[low] ?? String.fromCharCode(low);
}

function character(byte: number): string {
  if (byte >= 32 && byte < 127) return String.fromCharCode(byte);
  if (byte === 0) return "\\0";
  return ESCAPE_LETTERS[byte] === undefined ? byte.toString(8).padStart(3, "0") : escapeByte(byte);
}

/** Sizes by letter: C's char, short, int, long; float, double, long double. */
const INTEGERS: Readonly<Record<string, number>> = { C: 1, S: 2, I: 4, L: 8 };
const FLOATS: Readonly<Record<string, number>> = { F: 4, D: 8, L: 16 };
/** Columns of integers by base and size, without the space. */
const WIDTHS: Readonly<Record<string, Readonly<Record<number, number>>>> = {
  d: { 1: 4, 2: 6, 4: 11, 8: 20 },
  o: { 1: 3, 2: 6, 4: 11, 8: 22 },
  u: { 1: 3, 2: 5, 4: 10, 8: 20 },
  x: { 1: 2, 2: 4, 4: 8, 8: 16 },
};
const FLOAT_WIDTHS: Readonly<Record<number, number>> = { 4: 15, 8: 24, 16: 29 };

function integerText(
  base: string,
  size: number,
  width: number,
  little: boolean,
): OdType["text"] {
  const radix = base === "x" ? 16 : base === "o" ? 8 : 10;
  const zeros = base === "x" || base === "o" ? width : 0;
  const write = (value: number | bigint): string => value.toString(radix).padStart(zeros, "0");
  const signed = base === "d";
  if (size === 1) {
    return (view, at) => write(signed ? view.getInt8(at) : view.getUint8(at));
  }
  if (size === 2) {
    return (view, at) => write(signed ? view.getInt16(at, little) : view.getUint16(at, little));
  }
  if (size === 4) {
    return (view, at) => write(signed ? view.getInt32(at, little) : view.getUint32(at, little));
  }
  return (view, at) => write(signed ? view.getBigInt64(at, little) : view.getBigUint64(at, little));
}

/**
 * Reads the argument of `-t`: one or more types.
 *
 * @throws {InvalidArgument} With GNU's message.
 */
export function parseTypes(text: string, little: boolean): OdType[] {
  const types: OdType[] = [];
  for (let at = 0; at < text.length;) {
    const kind = text[at++] ?? "";
    let type: Omit<OdType, "trailer">;
    if (kind === "a" || kind === "c") {
      const write = kind === "a" ? named : character;
      type = { size: 1, width: 3, text: (view, i) => write(view.getUint8(i)) };
    } else if ("doux".includes(kind) || kind === "f") {
      const float = kind === "f";
      const letters = float ? FLOATS : INTEGERS;
      const [digits = ""] = /^\d*/.exec(text.slice(at)) ?? [];
      const letter = letters[text[at] ?? ""];
      let size = digits === "" ? (float ? 8 : 4) : Number(digits);
      at += digits.length;
      if (digits === "" && letter !== undefined) {
        size = letter;
        at++;
      }
      const width = float ? FLOAT_WIDTHS[size] : WIDTHS[kind]?.[size];
      if (width === undefined) {
        throw new InvalidArgument(
          `invalid type string ${quote(text)};\nthis system doesn't provide a ${
            digits || size
          }-byte ${float ? "floating point" : "integral"} type`,
        );
      }
      if (float) {
        const write = size === 4 ? floatText : size === 8 ? doubleText : longDoubleText;
        type = { size, width, text: (view, i) => write(view, i, little) };
      } else {
        type = { size, width, text: integerText(kind, size, width, little) };
      }
    } else {
      const shown = String.fromCodePoint(text.codePointAt(at - 1) ?? 0);
      throw new InvalidArgument(`invalid character '${shown}' in type string ${quote(text)}`);
    }
    const trailer = text[at] === "z";
    if (trailer) at++;
    types.push(withTable({ ...type, trailer }));
  }
  return types;
}
