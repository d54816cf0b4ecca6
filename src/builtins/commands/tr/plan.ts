import { InvalidArgument } from "../../core/mod.ts";
import type { Element } from "./sets.ts";

/** The options of `tr`. */
export interface TrOptions {
  readonly complement: boolean;
  readonly delete: boolean;
  readonly squeeze: boolean;
  readonly truncate: boolean;
}

/** The effect of `tr` on each byte; an absent table changes nothing. */
export interface TrPlan {
  /** The translation of each byte. */
  readonly translate?: Uint8Array;
  /** 1 for each byte that is deleted, before translation. */
  readonly delete?: Uint8Array;
  /** 1 for each byte whose repetitions are removed, after translation. */
  readonly squeeze?: Uint8Array;
}

/**
 * Builds the tables from the parsed strings.
 *
 * @throws {InvalidArgument} With GNU's message, if the strings do not fit together.
 */
export function planTr(
  string1: readonly Element[],
  string2: readonly Element[] | undefined,
  options: TrOptions,
): TrPlan {
  const translating = string2 !== undefined && !options.delete;
  if (string1.some((element) => element.length === undefined)) {
    throw new InvalidArgument("the [c*] repeat construct may not appear in string1");
  }
  const set1 = membersOf(string1, options.complement);
  if (translating) return planTranslation(string1, string2, options, set1);
  if (string2?.some((element) => element.length === undefined) === true) {
    const many = string2.filter((element) => element.length === undefined).length > 1;
    throw new InvalidArgument(
      many
        ? "only one [c*] repeat construct may appear in string2"
        : "the [c*] construct may appear in string2 only when translating",
    );
  }
  if (!options.delete) return { squeeze: set1 };
  return { delete: set1, ...(string2 !== undefined && { squeeze: membersOf(string2, false) }) };
}

function membersOf(elements: readonly Element[], complement: boolean): Uint8Array {
  const members = new Uint8Array(256).fill(complement ? 1 : 0);
  for (const { bytes, length } of elements) {
    // A [c*] with nothing to fill.
    if (length === 0) continue;
    for (const byte of bytes) members[byte] = complement ? 0 : 1;
  }
  return members;
}

function lengthOf(elements: readonly Element[]): number {
  return elements.reduce((sum, { length }) => sum + (length ?? 0), 0);
}

function planTranslation(
  string1: readonly Element[],
  given2: readonly Element[],
  options: TrOptions,
  set1: Uint8Array,
): TrPlan {
  const { complement, truncate } = options;
  let length1 = complement ? set1.reduce((sum, is) => sum + is, 0) : lengthOf(string1);
  let string2 = fillRepeat(given2, length1);
  if (string2.some(({ kind }) => kind === "equivalence")) {
    throw new InvalidArgument("[=c=] expressions may not appear in string2 when translating");
  }
  if (string2.some(({ kind, letters }) => kind === "class" && letters === undefined)) {
    throw new InvalidArgument(
      "when translating, the only character classes that may appear in\n" +
        "string2 are 'upper' and 'lower'",
    );
  }
  let length2 = lengthOf(string2);
  if (!complement && string2.some(({ kind }) => kind === "class")) {
    const saved = checkCaseClasses(string1, string2);
    length1 -= saved;
    length2 -= saved;
  }
  if (length1 > length2 && !truncate) {
    if (length2 === 0) {
      throw new InvalidArgument("when not truncating set1, string2 must be non-empty");
    }
    string2 = extend(string2, length1 - length2);
    length2 = length1;
  }
  if (
    complement && string1.some(({ kind }) => kind === "class") &&
    !(length1 === length2 && membersOf(string2, false).reduce((sum, is) => sum + is, 0) === 1)
  ) {
    throw new InvalidArgument(
      "when translating with complemented character classes,\n" +
        "string2 must map all characters in the domain to one",
    );
  }
  const translate = complement
    ? translateComplement(set1, string2)
    : translatePairs(string1, string2);
  return { translate, ...(options.squeeze && { squeeze: membersOf(string2, false) }) };
}

/** Sets the length of `[c*]` to what string2 lacks. */
function fillRepeat(elements: readonly Element[], length1: number): readonly Element[] {
  const open = elements.filter((element) => element.length === undefined);
  if (open.length > 1) {
    throw new InvalidArgument("only one [c*] repeat construct may appear in string2");
  }
  const lack = Math.max(0, length1 - lengthOf(elements));
  return elements.map((element) =>
    element.length === undefined ? { ...element, length: lack } : element
  );
}

function extend(elements: readonly Element[], lack: number): readonly Element[] {
  const last = elements.at(-1);
  if (last === undefined) return elements;
  if (last.kind === "class") {
    throw new InvalidArgument(
      "when translating with string1 longer than string2,\n" +
        "the latter string must not end with a character class",
    );
  }
  return [...elements, { kind: "repeat", bytes: last.bytes.slice(-1), length: lack }];
}

/** Iterates over the bytes of a string. */
class Cursor {
  readonly #elements: readonly Element[];
  #element = 0;
  #offset = 0;

  constructor(elements: readonly Element[]) {
    this.#elements = elements;
    this.#skipEmpty();
  }

  /** The element of the next byte. */
  get element(): Element | undefined {
    return this.#elements[this.#element];
  }

  /** True if the next byte is the first of its element. */
  get atStart(): boolean {
    return this.#offset === 0;
  }

  /** The next byte. */
  get byte(): number | undefined {
    const bytes = this.element?.bytes;
    return bytes?.[Math.min(this.#offset, bytes.length - 1)];
  }

  /** Number of bytes, from the next one on, that are equal. */
  get same(): number {
    const { element } = this;
    return element?.kind === "repeat" ? (element.length ?? 0) - this.#offset : 1;
  }

  advance(count: number): void {
    this.#offset += count;
    if (this.#offset >= (this.element?.length ?? 0)) this.skipElement();
  }

  skipElement(): void {
    this.#element++;
    this.#offset = 0;
    this.#skipEmpty();
  }

  #skipEmpty(): void {
    while (this.element?.length === 0) this.#element++;
  }
}

/**
 * Checks that each `[:upper:]` and `[:lower:]` in string2 has a counterpart in string1. Returns the
 * reduction in length of both strings if each such class counts as one.
 */
function checkCaseClasses(string1: readonly Element[], string2: readonly Element[]): number {
  const one = new Cursor(string1);
  const two = new Cursor(string2);
  let saved = 0;
  while (one.byte !== undefined || two.byte !== undefined) {
    if (two.element?.letters !== undefined) {
      if (one.element?.letters === undefined || !one.atStart) {
        throw new InvalidArgument("misaligned [:upper:] and/or [:lower:] construct");
      }
      saved += 25;
      one.skipElement();
      two.skipElement();
    } else {
      if (one.byte === undefined || two.byte === undefined) break;
      const count = Math.min(one.same, two.same);
      one.advance(count);
      two.advance(count);
    }
  }
  return saved;
}

function identity(): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => byte);
}

function translateComplement(set1: Uint8Array, string2: readonly Element[]): Uint8Array {
  const table = identity();
  const two = new Cursor(string2);
  for (let byte = 0; byte < 256; byte++) {
    if (set1[byte] === 0) continue;
    const to = two.byte;
    if (to === undefined) break;
    table[byte] = to;
    two.advance(1);
  }
  return table;
}

function translatePairs(string1: readonly Element[], string2: readonly Element[]): Uint8Array {
  const table = identity();
  const one = new Cursor(string1);
  const two = new Cursor(string2);
  for (;;) {
    const from = one.byte;
    const to = two.byte;
    if (from === undefined || to === undefined) return table;
    const [letters1, letters2] = [one.element?.letters, two.element?.letters];
    if (letters2 !== undefined) {
      if (letters1 !== undefined && letters1 !== letters2) {
        const shift = letters2 === "upper" ? -32 : 32;
        for (const letter of one.element?.bytes ?? []) table[letter] = letter + shift;
      } else {
        table[from] = to;
      }
      one.skipElement();
      two.skipElement();
    } else {
      table[from] = to;
      const count = Math.min(one.same, two.same);
      one.advance(count);
      two.advance(count);
    }
  }
}
