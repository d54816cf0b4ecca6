import { ESCAPE_LETTERS, escapeByte, type LineOutput, quote, utf8 } from "../../text/mod.ts";
import { InvalidArgument } from "../../core/mod.ts";
import { doubleText, floatText } from "./float.ts";

/** One way to write the bytes of a line. */
export interface OdType {
  /** Bytes an item. */
  readonly size: number;
  /** Columns an item, without the space before it. */
  readonly width: number;
  /** True if printable characters follow the line (`z`). */
  readonly trailer: boolean;
  /**
   * Writes the item at `at` with spaces before it up to `columns`; it has at most `width` columns.
   */
  put(out: LineOutput, view: DataView, at: number, columns: number): void;
  /** Text of each byte with a space before it, if items are bytes. */
  readonly table?: Uint8Array;
}

/** A type as parsed, with its items as texts. */
interface TextType {
  readonly size: number;
  readonly width: number;
  readonly trailer: boolean;
  text(view: DataView, at: number): string;
  /** The items as numbers, if they are numbers. Those of at least 0 need no text. */
  readonly number?: NumberType;
}

/** Numbers, with zeros in front up to `zeros` digits. */
interface NumberType {
  readonly radix: number;
  readonly zeros: number;
  read(view: DataView, at: number): number;
}

function makeType({ size, width, trailer, text, number }: TextType): OdType {
  const put: OdType["put"] = (out, view, at, columns) => {
    const value = number === undefined ? -1 : number.read(view, at);
    if (number === undefined || value < 0) return out.putText(text(view, at), columns);
    if (number.zeros === 0) return out.putNumber(value, columns, 32, number.radix);
    out.fill(32, columns - number.zeros);
    out.putNumber(value, number.zeros, 48, number.radix);
  };
  if (size > 1) return { size, width, trailer, put };
  const view = new DataView(new ArrayBuffer(1));
  const shown = Array.from({ length: 256 }, (_, byte) => {
    view.setUint8(0, byte);
    return ` ${text(view, 0).padStart(width)}`;
  });
  return { size, width, trailer, put, table: utf8(shown.join("")) };
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

/** Size of x87's floating-point numbers, which are not supported. */
const LONG_DOUBLE = 16;
/** Sizes by letter: C's char, short, int, long; float, double, long double. */
const INTEGERS: Readonly<Record<string, number>> = { C: 1, S: 2, I: 4, L: 8 };
const FLOATS: Readonly<Record<string, number>> = { F: 4, D: 8, L: LONG_DOUBLE };
/** Columns of integers by base and size, without the space. */
const WIDTHS: Readonly<Record<string, Readonly<Record<number, number>>>> = {
  d: { 1: 4, 2: 6, 4: 11, 8: 20 },
  o: { 1: 3, 2: 6, 4: 11, 8: 22 },
  u: { 1: 3, 2: 5, 4: 10, 8: 20 },
  x: { 1: 2, 2: 4, 4: 8, 8: 16 },
};
const FLOAT_WIDTHS: Readonly<Record<number, number>> = { 4: 15, 8: 24 };

/** Integers: of 1, 2 and 4 bytes as numbers, of 8 as texts. */
function integers(
  base: string,
  size: number,
  width: number,
  little: boolean,
): Pick<TextType, "text" | "number"> {
  const radix = base === "x" ? 16 : base === "o" ? 8 : 10;
  const zeros = base === "x" || base === "o" ? width : 0;
  const signed = base === "d";
  if (size === 8) {
    return {
      text: (view, at) => {
        const value = signed ? view.getBigInt64(at, little) : view.getBigUint64(at, little);
        return value.toString(radix).padStart(zeros, "0");
      },
    };
  }
  const read: NumberType["read"] = size === 1
    ? (view, at) => signed ? view.getInt8(at) : view.getUint8(at)
    : size === 2
    ? (view, at) => signed ? view.getInt16(at, little) : view.getUint16(at, little)
    : (view, at) => signed ? view.getInt32(at, little) : view.getUint32(at, little);
  return {
    text: (view, at) => read(view, at).toString(radix).padStart(zeros, "0"),
    number: { radix, zeros, read },
  };
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
    let type: Omit<TextType, "trailer">;
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
      if (float && size === LONG_DOUBLE) {
        throw new InvalidArgument(`type '${text}' is not supported: use -t fD for 8 bytes`);
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
        const write = size === 4 ? floatText : doubleText;
        type = { size, width, text: (view, i) => write(view, i, little) };
      } else {
        type = { size, width, ...integers(kind, size, width, little) };
      }
    } else {
      const shown = String.fromCodePoint(text.codePointAt(at - 1) ?? 0);
      throw new InvalidArgument(`invalid character '${shown}' in type string ${quote(text)}`);
    }
    const trailer = text[at] === "z";
    if (trailer) at++;
    types.push(makeType({ ...type, trailer }));
  }
  return types;
}
