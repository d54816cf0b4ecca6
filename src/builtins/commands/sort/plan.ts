import {
  encodeFiltered,
  encodeGeneral,
  encodeHuman,
  encodeMonth,
  encodeNumeric,
  type Encoder,
  isBlank,
  KeyBuffer,
} from "./encode.ts";
import type { Key } from "./keys.ts";
import type { SortSettings } from "./options.ts";
import { encodeVersion, encodeWholeVersion } from "./version.ts";

/** One criterion to compare lines by: a key, or the whole line as the last resort. */
export interface Criterion {
  /** Finds the key; absent for the whole line. */
  readonly locate: Locator | undefined;
  /** Writes bytes that compare as the key does; absent if the key's own bytes do. */
  readonly encode: Encoder | undefined;
  readonly reverse: boolean;
}

/** The criteria by which lines are compared, in this order. */
export interface SortPlan {
  readonly criteria: readonly Criterion[];
  /** Number of criteria that decide if two lines are the same for `-u`. */
  readonly identity: number;
}

const WHOLE_LINE: Omit<Criterion, "reverse"> = {
  locate: undefined,
  encode: undefined,
};

/** Plans the comparison for a command line. `random` encodes the keys with `-R`. */
export function planSort(settings: SortSettings, random?: Encoder): SortPlan {
  const { keys, tab, reverse, stable, unique } = settings;
  const criteria = keys.flatMap((key): Criterion[] => {
    const locate = isWholeLine(key) ? undefined : new Locator(key, tab);
    return encodersOf(key, random).map((encode) => ({ locate, encode, reverse: key.reverse }));
  });
  if (criteria.length === 0) return { criteria: [{ ...WHOLE_LINE, reverse }], identity: 1 };
  const identity = criteria.length;
  if (!stable && !unique) criteria.push({ ...WHOLE_LINE, reverse });
  return { criteria, identity };
}

/** True if whole lines are compared byte by byte, and nothing else. */
export function isPlain({ criteria: [first, second] }: SortPlan): boolean {
  return second === undefined && first?.locate === undefined && first?.encode === undefined;
}

function isWholeLine(key: Key): boolean {
  return key.startField === Infinity && key.endField === Infinity && !key.startBlanks;
}

/** Returns the encoders of a key. Each decides between keys that those before it find equal. */
function encodersOf(key: Key, random?: Encoder): readonly (Encoder | undefined)[] {
  if (key.numeric) return [encodeNumeric];
  if (key.general) return [encodeGeneral];
  if (key.human) return [encodeHuman(key.fold)];
  if (key.month) return [encodeMonth];
  const filter = key.ignore !== "none" || key.fold
    ? encodeFiltered(key.ignore, key.fold)
    : undefined;
  if (key.random && random !== undefined) {
    return [filter === undefined ? random : inTurn(filter, random)];
  }
  if (!key.version) return [filter];
  // The second is needed only for the few names that the first finds equal.
  const versions = [encodeVersion, encodeWholeVersion];
  return filter === undefined ? versions : versions.map((encode) => inTurn(filter, encode));
}

/** Encodes the output of another encoder. */
function inTurn(first: Encoder, second: Encoder): Encoder {
  const between = new KeyBuffer();
  return (text, from, to, out) => {
    between.length = 0;
    first(text, from, to, between);
    second(between.bytes, 0, between.length, out);
  };
}

/** Finds a key in a line; the rules are those of GNU's `begfield` and `limfield`. */
export class Locator {
  /** Start and end of the key located last. */
  begin = 0;
  end = 0;
  readonly #key: Key;
  readonly #tab: number | undefined;

  constructor(key: Key, tab: number | undefined) {
    this.#key = key;
    this.#tab = tab;
  }

  /** Locates the key in the line from `start` to before `limit`. */
  find(text: Uint8Array, start: number, limit: number): void {
    const { startField, startByte, startBlanks } = this.#key;
    let begin = start;
    if (startField !== Infinity) begin = this.#skipFields(text, start, limit, startField);
    if (startBlanks) begin = skipBlanks(text, begin, limit);
    // Characters are counted from the end of the blanks, and not beyond the line.
    if (startField !== Infinity) begin = Math.min(limit, begin + startByte);
    this.begin = begin;
    this.end = Math.max(begin, this.#findEnd(text, start, limit));
  }

  #findEnd(text: Uint8Array, start: number, limit: number): number {
    const { endField, endByte, endBlanks } = this.#key;
    if (endField === Infinity) return limit;
    if (endByte === 0) return this.#throughField(text, start, limit, endField);
    let end = this.#skipFields(text, start, limit, endField);
    if (endBlanks) end = skipBlanks(text, end, limit);
    return Math.min(limit, end + endByte);
  }

  /** Returns the offset after so many fields and, if fields have a separator, after that. */
  #skipFields(text: Uint8Array, at: number, limit: number, fields: number): number {
    const tab = this.#tab;
    for (; fields > 0 && at < limit; fields--) {
      if (tab === undefined) {
        at = skipField(text, at, limit);
      } else {
        while (at < limit && text[at] !== tab) at++;
        if (at < limit) at++;
      }
    }
    return at;
  }

  /** Returns the end of the field with that number, counted from 0, without its separator. */
  #throughField(text: Uint8Array, start: number, limit: number, field: number): number {
    const at = this.#skipFields(text, start, limit, field);
    if (this.#tab === undefined) return skipField(text, at, limit);
    let end = at;
    while (end < limit && text[end] !== this.#tab) end++;
    return end;
  }
}

function skipBlanks(text: Uint8Array, at: number, limit: number): number {
  while (at < limit && isBlank(text[at])) at++;
  return at;
}

/** Returns the offset after a field without separators: blanks and then other bytes. */
function skipField(text: Uint8Array, at: number, limit: number): number {
  at = skipBlanks(text, at, limit);
  while (at < limit && !isBlank(text[at])) at++;
  return at;
}
