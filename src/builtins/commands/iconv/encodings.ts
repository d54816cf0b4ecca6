import { type Decoder, SingleByteDecoder, UnitDecoder, Utf8Decoder } from "./decoders.ts";
import { type Encoder, SingleByteEncoder, UnitEncoder, Utf8Encoder } from "./encoders.ts";
import { TextDecoderDecoder } from "./multi_byte.ts";

/** A character encoding. */
export interface Encoding {
  /** Returns a decoder for one text. */
  readonly decoder: () => Decoder;
  /** Returns an encoder for one text; absent if the encoding can only be read. */
  readonly encoder?: () => Encoder;
}

/** Marks a byte without a character, in tables from bytes to UTF-16 code units. */
export const NO_CHARACTER = 0xffff;

type Table = Uint16Array<ArrayBuffer>;

/** Returns the table of the characters that the platform's decoder has for each single byte. */
function tableOf(label: string): Table {
  const decoder = new TextDecoder(label, { fatal: true });
  return Uint16Array.from({ length: 256 }, (_, byte) => {
    try {
      const code = decoder.decode(Uint8Array.of(byte)).charCodeAt(0);
      // The web standard puts control characters at the unassigned bytes of Windows code pages.
      return label.startsWith("windows") && code >= 0x80 && code < 0xa0 ? NO_CHARACTER : code;
    } catch {
      return NO_CHARACTER;
    }
  });
}

/** Puts control characters at 0x80 to 0x9F, as in ISO encodings; Windows has others there. */
function withControls(table: Table): Table {
  for (let byte = 0x80; byte < 0xa0; byte++) table[byte] = byte;
  return table;
}

function withoutBytes(table: Table, from: number, to: number): Table {
  return table.fill(NO_CHARACTER, from, to);
}

const latin1 = (): Table => Uint16Array.from({ length: 256 }, (_, byte) => byte);

/** Tables of the encodings of one byte a character, by their first name. */
const SINGLE_BYTE: Readonly<Record<string, () => Table>> = {
  ASCII: () => withoutBytes(latin1(), 0x80, 256),
  "ISO-8859-1": latin1,
  // `TextDecoder` reads these three as Windows code pages, which have more characters.
  "ISO-8859-9": () => withControls(tableOf("windows-1254")),
  "ISO-8859-11": () => withControls(tableOf("windows-874")),
  "TIS-620": () => withoutBytes(withControls(tableOf("windows-874")), 0x80, 0xa1),
  ...Object.fromEntries(
    ["2", "3", "4", "5", "6", "7", "8", "10", "13", "14", "15", "16"].map((part) => [
      `ISO-8859-${part}`,
      () => tableOf(`iso-8859-${part}`),
    ]),
  ),
  ...Object.fromEntries(
    ["1250", "1251", "1252", "1253", "1254", "1255", "1256", "1257", "1258"].map((page) => [
      `CP${page}`,
      () => tableOf(`windows-${page}`),
    ]),
  ),
  CP874: () => tableOf("windows-874"),
  CP866: () => tableOf("ibm866"),
  "KOI8-R": () => tableOf("koi8-r"),
  "KOI8-U": () => tableOf("koi8-u"),
  MACINTOSH: () => tableOf("macintosh"),
  "MAC-CYRILLIC": () => tableOf("x-mac-cyrillic"),
};

/** Encodings of several bytes a character, with their labels for `TextDecoder`. */
const MULTI_BYTE: Readonly<Record<string, string>> = {
  SHIFT_JIS: "shift_jis",
  "EUC-JP": "euc-jp",
  GBK: "gbk",
  GB18030: "gb18030",
  BIG5: "big5",
  "EUC-KR": "euc-kr",
};

/** Encodings of units of two or four bytes. */
const UNITS: Readonly<Record<string, ConstructorParameters<typeof UnitDecoder>[0]>> = {
  "UTF-16": { bytes: 2, order: "native", mark: true, surrogates: true },
  "UTF-16LE": { bytes: 2, order: "little", mark: false, surrogates: true },
  "UTF-16BE": { bytes: 2, order: "big", mark: false, surrogates: true },
  "UTF-32": { bytes: 4, order: "native", mark: true, surrogates: false },
  "UTF-32LE": { bytes: 4, order: "little", mark: false, surrogates: false },
  "UTF-32BE": { bytes: 4, order: "big", mark: false, surrogates: false },
  "UCS-2": { bytes: 2, order: "native", mark: false, surrogates: false },
  "UCS-2LE": { bytes: 2, order: "little", mark: false, surrogates: false },
  "UCS-2BE": { bytes: 2, order: "big", mark: false, surrogates: false },
  "UCS-4": { bytes: 4, order: "big", mark: false, surrogates: false },
  "UCS-4LE": { bytes: 4, order: "little", mark: false, surrogates: false },
};

/** The names of each encoding, its main one first. */
export const encodingNames: readonly (readonly string[])[] = [
  ["UTF-8", "UTF8"],
  ["UTF-16", "UTF16"],
  ["UTF-16LE", "UTF16LE"],
  ["UTF-16BE", "UTF16BE"],
  ["UTF-32", "UTF32"],
  ["UTF-32LE", "UTF32LE"],
  ["UTF-32BE", "UTF32BE"],
  ["UCS-2", "UCS2", "ISO-10646-UCS-2"],
  ["UCS-2LE", "UNICODELITTLE"],
  ["UCS-2BE", "UNICODEBIG"],
  ["UCS-4", "UCS4", "UCS-4BE", "ISO-10646"],
  ["UCS-4LE"],
  ["ASCII", "US-ASCII", "US", "ANSI_X3.4-1968", "646", "ISO646-US"],
  ["ISO-8859-1", "ISO8859-1", "LATIN1", "L1", "8859_1", "CP819"],
  ["ISO-8859-2", "ISO8859-2", "LATIN2", "L2", "8859_2"],
  ["ISO-8859-3", "ISO8859-3", "LATIN3", "L3", "8859_3"],
  ["ISO-8859-4", "ISO8859-4", "LATIN4", "L4", "8859_4"],
  ["ISO-8859-5", "ISO8859-5", "CYRILLIC", "8859_5"],
  ["ISO-8859-6", "ISO8859-6", "ARABIC", "8859_6"],
  ["ISO-8859-7", "ISO8859-7", "GREEK", "8859_7"],
  ["ISO-8859-8", "ISO8859-8", "HEBREW", "8859_8"],
  ["ISO-8859-9", "ISO8859-9", "LATIN5", "L5", "8859_9"],
  ["ISO-8859-10", "ISO8859-10", "LATIN6", "L6"],
  ["ISO-8859-11", "ISO8859-11"],
  ["ISO-8859-13", "ISO8859-13", "LATIN7", "L7"],
  ["ISO-8859-14", "ISO8859-14", "LATIN8", "L8"],
  ["ISO-8859-15", "ISO8859-15", "LATIN-9", "LATIN9"],
  ["ISO-8859-16", "ISO8859-16", "LATIN10", "L10"],
  ...["1250", "1251", "1252", "1253", "1254", "1255", "1256", "1257", "1258"].map((page) => [
    `CP${page}`,
    `WINDOWS-${page}`,
    `MS${page}`,
  ]),
  ["CP874", "WINDOWS-874"],
  ["TIS-620", "TIS620"],
  ["CP866", "IBM866", "866"],
  ["KOI8-R", "KOI8R"],
  ["KOI8-U", "KOI8U"],
  ["MACINTOSH", "MAC"],
  ["MAC-CYRILLIC", "MAC-UK"],
  ["SHIFT_JIS", "SHIFT-JIS", "SJIS", "CP932", "WINDOWS-31J", "MS_KANJI"],
  ["EUC-JP", "EUCJP"],
  ["GBK", "CP936", "GB2312", "EUC-CN", "EUCCN"],
  ["GB18030"],
  ["BIG5", "BIG-5", "BIG5-HKSCS", "CP950"],
  ["EUC-KR", "EUCKR", "CP949", "UHC"],
];

const key = (name: string): string => name.toUpperCase().replaceAll(/[-_ ]/g, "");

const firstNames: ReadonlyMap<string, string> = new Map(
  encodingNames.flatMap((names) => names.map((name) => [key(name), names[0] ?? ""] as const)),
);

/**
 * Returns the encoding of a name, in upper or lower case, with or without hyphens; `undefined` if
 * there is none. An empty name means UTF-8, the locale's encoding.
 */
export function findEncoding(name: string): Encoding | undefined {
  const first = name === "" ? "UTF-8" : firstNames.get(key(name));
  if (first === undefined) return undefined;
  if (first === "UTF-8") {
    return {
      decoder: () => new Utf8Decoder(),
      encoder: () => new Utf8Encoder(),
    };
  }
  const units = UNITS[first];
  if (units !== undefined) {
    return { decoder: () => new UnitDecoder(units), encoder: () => new UnitEncoder(units) };
  }
  const label = MULTI_BYTE[first];
  if (label !== undefined) return { decoder: () => new TextDecoderDecoder(label) };
  const table = SINGLE_BYTE[first]?.();
  if (table === undefined) return undefined;
  return {
    decoder: () => new SingleByteDecoder(table),
    encoder: () => new SingleByteEncoder(table),
  };
}
