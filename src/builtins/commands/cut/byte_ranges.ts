import { toCount, UINTMAX } from "../../core/mod.ts";
import { UsageError } from "../../../command_line/mod.ts";
import { quote } from "../../text/mod.ts";

/**
 * A range of positions that `cut` prints, from 1, both ends included; `Infinity` for an open end.
 */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Wording of the messages for each kind of position. */
const WORDS = {
  fields: {
    zero: "fields are numbered from 1",
    value: "invalid field value",
    range: "invalid field range",
    large: "field number",
  },
  bytes: {
    zero: "byte/character positions are numbered from 1",
    value: "invalid byte/character position",
    range: "invalid byte or character range",
    large: "byte/character offset",
  },
} as const;

/** The kind of positions in a list. */
export type PositionKind = keyof typeof WORDS;

interface Piece {
  readonly from: bigint;
  readonly to: bigint;
}

/**
 * Parses a list of positions, `1,3-5,7-`, to ascending ranges that do not overlap. Adjacent ranges
 * such as `1-2,3` stay separate.
 *
 * @throws {UsageError} With GNU cut's message.
 */
export function parseRanges(list: string, kind: PositionKind): Range[] {
  const words = WORDS[kind];
  const pieces: Piece[] = [];
  // GNU cut reports the first error in the list.
  for (let at = 0; at <= list.length;) {
    const [text = ""] = /^[^, \t]*/.exec(list.slice(at)) ?? [];
    pieces.push(parsePiece(text, list.slice(at), words));
    at += text.length + 1;
  }
  pieces.sort((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0));
  const merged: Piece[] = [];
  for (const piece of pieces) {
    const last = merged.at(-1);
    if (last === undefined || piece.from > last.to) merged.push(piece);
    else if (piece.to > last.to) merged[merged.length - 1] = { from: last.from, to: piece.to };
  }
  return merged.map(({ from, to }) => ({ from: toCount(from), to: toCount(to) }));
}

function parsePiece(text: string, rest: string, words: typeof WORDS[PositionKind]): Piece {
  const [, low = "", dash = "", high = "", wrong = ""] = /^(\d*)(-?)(\d*)([^]*)$/.exec(text) ?? [];
  const from = readPosition(low, words);
  if (dash !== "" && from === 0n) throw new UsageError(words.zero);
  const to = readPosition(high, words);
  if (wrong.startsWith("-")) throw new UsageError(words.range);
  if (wrong !== "") {
    throw new UsageError(`${words.value} ${quote(rest.slice(text.length - wrong.length))}`);
  }
  if (dash === "") {
    if (from === undefined || from === 0n) throw new UsageError(words.zero);
    return { from, to: from };
  }
  if (from === undefined && to === undefined) {
    throw new UsageError("invalid range with no endpoint: -");
  }
  if (to !== undefined && to < (from ?? 1n)) throw new UsageError("invalid decreasing range");
  return { from: from ?? 1n, to: to ?? UINTMAX };
}

function readPosition(digits: string, words: typeof WORDS[PositionKind]): bigint | undefined {
  if (digits === "") return undefined;
  const value = BigInt(digits);
  if (value < UINTMAX) return value;
  throw new UsageError(`${words.large} ${quote(digits)} is too large`);
}

/** The ranges of all other positions. */
export function complementOf(ranges: readonly Range[]): Range[] {
  const others: Range[] = [];
  let next = 1;
  for (const { from, to } of ranges) {
    if (from > next) others.push({ from: next, to: from - 1 });
    next = to + 1;
  }
  if (next < Infinity) others.push({ from: next, to: Infinity });
  return others;
}
