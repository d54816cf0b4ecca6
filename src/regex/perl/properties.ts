/**
 * Unicode properties in Perl's pattern syntax (`\p{Lu}`, `\P{Greek}`, `\pL`), from the runtime's
 * own tables.
 *
 * @module
 */

import { type CharSet, charSet, INVALID, LAST_CODE_POINT, union } from "../charset.ts";
import { RegexError } from "../errors.ts";
import { UnsupportedPattern } from "./pieces.ts";
import { type SetAt, setOrOthers } from "./set_at.ts";

const malformed = "malformed \\P or \\p sequence";
const unknown = "unknown property after \\P or \\p";

const known = new Map<string, CharSet>();

/** Reads the property whose `p` or `P` is at `at`. */
export function perlProperty(symbols: readonly number[], at: number): SetAt {
  const inverted = symbols[at] === 0x50;
  const first = symbols[at + 1] ?? INVALID;
  if (first !== 0x7b) {
    if (!/[A-Za-z]/.test(String.fromCharCode(Math.min(first, 0x80)))) {
      throw new RegexError(malformed);
    }
    return setOrOthers(setOf(String.fromCharCode(first)), inverted, at + 2);
  }
  const close = symbols.indexOf(0x7d, at + 2);
  if (close < 0) throw new RegexError(malformed);
  // Spaces, hyphens, underscores and case are ignored, as Unicode demands.
  let name = "";
  for (const symbol of symbols.slice(at + 2, close)) {
    if (symbol >= 0x80) throw new RegexError(unknown);
    name += String.fromCharCode(symbol).replace(/[-_\s]/, "").toLowerCase();
  }
  const not = name.startsWith("^");
  return setOrOthers(setOf(not ? name.slice(1) : name), not !== inverted, close + 1);
}

function setOf(name: string): CharSet {
  let set = known.get(name);
  if (set === undefined) {
    set = made(name);
    known.set(name, set);
  }
  return set;
}

function made(name: string): CharSet {
  const own = ours(name);
  if (own !== undefined) return own;
  const typed = /^([a-z]+)[=:](.*)$/.exec(name);
  if (typed === null) return scan(matcherOf(formsOf(name)));
  const [, type = "", value = ""] = typed;
  switch (type) {
    case "sc":
    case "script":
      return scan(matcherOf([`Script=${titled(value)}`]));
    case "scx":
    case "scriptextensions":
      return scan(matcherOf([`Script_Extensions=${titled(value)}`]));
    case "bc":
    case "bidiclass":
      throw writingDirection();
    default:
      throw new RegexError(unknown);
  }
}

function writingDirection(): RegexError {
  return new UnsupportedPattern("-P does not support bidirectional properties");
}

/** The properties that only PCRE2 has. */
function ours(name: string): CharSet | undefined {
  switch (name) {
    case "any":
      return [0, LAST_CODE_POINT];
    case "l&":
    case "lc":
      return scan(/\p{LC}/u);
    case "unknown":
    case "zzzz":
      return scan(/[\p{Cn}\p{Co}\p{Cs}]/u);
    case "xan":
      return union(setOf("l"), setOf("n"));
    case "xwd":
      return union(setOf("xan"), [0x5f, 0x5f]);
    case "xsp":
    case "xps":
      return union(setOf("z"), charSet([9, 13, 0x85, 0x85, 0x180e, 0x180e]));
    case "xuc":
      return [0x24, 0x24, 0x40, 0x40, 0x60, 0x60, 0xa0, 0xd7ff, 0xe000, LAST_CODE_POINT];
    default:
      if (/^bidi(?!c$|m$|control$|mirrored$)/.test(name)) {
        throw writingDirection();
      }
      return undefined;
  }
}

/**
 * The runtime's possible names for a property without a type: a category, a script, a binary one.
 */
function formsOf(name: string): readonly string[] {
  const category = name.length <= 2 ? [name.charAt(0).toUpperCase() + name.slice(1)] : [];
  // As in PCRE2, a script includes its extensions.
  return [...category, `Script_Extensions=${titled(name)}`, binaries.get(name) ?? ""];
}

/** A script's name with underscores and capitals; four letters are an abbreviation. */
function titled(name: string): string {
  return scripts.get(name) ?? name.charAt(0).toUpperCase() + name.slice(1);
}

/** Scripts whose names have several words. */
const scripts: ReadonlyMap<string, string> = new Map(
  ("Anatolian_Hieroglyphs Canadian_Aboriginal Caucasian_Albanian Egyptian_Hieroglyphs " +
    "Gunjala_Gondi Hanifi_Rohingya Imperial_Aramaic Inscriptional_Pahlavi " +
    "Inscriptional_Parthian Khitan_Small_Script Kayah_Li Linear_A Linear_B Masaram_Gondi " +
    "Meetei_Mayek Mende_Kikakui Meroitic_Cursive Meroitic_Hieroglyphs New_Tai_Lue Nag_Mundari " +
    "Nyiakeng_Puachue_Hmong Ol_Chiki Old_Hungarian Old_Italic Old_North_Arabian Old_Permic " +
    "Old_Persian Old_Sogdian Old_South_Arabian Old_Turkic Old_Uyghur Pahawh_Hmong " +
    "Pau_Cin_Hau Phags_Pa Psalter_Pahlavi SignWriting Sora_Sompeng Syloti_Nagri Tai_Le " +
    "Tai_Tham Tai_Viet Zanabazar_Square Cypro_Minoan Nko").split(" ").map((name) =>
      [name.replaceAll("_", "").toLowerCase(), name] as const
    ),
);

/** Binary properties, by PCRE2's names. */
const binaries: ReadonlyMap<string, string> = new Map(
  ("ASCII_Hex_Digit=AHex Alphabetic=Alpha ASCII=ASCII Bidi_Control=Bidi_C Bidi_Mirrored=Bidi_M " +
    "Case_Ignorable=CI Cased=Cased Changes_When_Casefolded=CWCF Changes_When_Casemapped=CWCM " +
    "Changes_When_Lowercased=CWL Changes_When_Titlecased=CWT Changes_When_Uppercased=CWU " +
    "Dash=Dash Default_Ignorable_Code_Point=DI Deprecated=Dep Diacritic=Dia Emoji=Emoji " +
    "Emoji_Component=EComp Emoji_Modifier=EMod Emoji_Modifier_Base=EBase " +
    "Emoji_Presentation=EPres Extended_Pictographic=ExtPict Extender=Ext Grapheme_Base=Gr_Base " +
    "Grapheme_Extend=Gr_Ext Hex_Digit=Hex IDS_Binary_Operator=IDSB IDS_Trinary_Operator=IDST " +
    "ID_Continue=IDC ID_Start=IDS Ideographic=Ideo Join_Control=Join_C " +
    "Logical_Order_Exception=LOE Lowercase=Lower Math=Math Noncharacter_Code_Point=NChar " +
    "Pattern_Syntax=Pat_Syn Pattern_White_Space=Pat_WS Quotation_Mark=QMark Radical=Radical " +
    "Regional_Indicator=RI Sentence_Terminal=STerm Soft_Dotted=SD Terminal_Punctuation=Term " +
    "Unified_Ideograph=UIdeo Uppercase=Upper Variation_Selector=VS White_Space=space " +
    "XID_Continue=XIDC XID_Start=XIDS").split(" ").flatMap((pair) => {
      const [long = "", short = ""] = pair.split("=");
      return [long, short].map((name) => [name.replaceAll("_", "").toLowerCase(), long] as const);
    }),
);

function matcherOf(forms: readonly string[]): RegExp {
  for (const form of forms) {
    if (!/^\w+(=\w+)?$/.test(form)) continue;
    try {
      return new RegExp(`\\p{${form}}`, "u");
    } catch {
      // Not a property of that form.
    }
  }
  throw new RegexError(unknown);
}

/** Number of code points scanned as one text; a divisor of the number of surrogates. */
const blockSize = 2048;

/** All characters that `matcher`, a single property, matches. */
function scan(matcher: RegExp): CharSet {
  const runs = new RegExp(`(?:${matcher.source})+`, "gu");
  const ranges: number[] = [];
  const units = new Uint16Array(2 * blockSize);
  for (let first = 0; first <= LAST_CODE_POINT; first += blockSize) {
    // A lone surrogate is no character.
    if (first >= 0xd800 && first < 0xe000) continue;
    const width = first > 0xffff ? 2 : 1;
    const text = blockText(first, units.subarray(0, width * blockSize));
    for (const { index, 0: run } of text.matchAll(runs)) {
      const low = first + index / width;
      ranges.push(low, low + run.length / width - 1);
    }
  }
  return charSet(ranges);
}

/** The code points from `first` on as text. `units` is a buffer for their UTF-16 code units. */
function blockText(first: number, units: Uint16Array): string {
  // Filled in here because `String.fromCodePoint` is several times slower for so many.
  if (first <= 0xffff) {
    for (let i = 0; i < units.length; i++) units[i] = first + i;
  } else {
    const offset = first - 0x10000;
    for (let i = 0; i < units.length; i += 2) {
      const at = offset + (i >> 1);
      units[i] = 0xd800 | at >> 10;
      units[i + 1] = 0xdc00 | at & 0x3ff;
    }
  }
  return Reflect.apply(String.fromCharCode, undefined, units);
}
