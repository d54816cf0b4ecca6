import { nextSymbol } from "../../../regex/mod.ts";
import type { Chunk } from "../../../streams/mod.ts";
import { readEscape } from "./escapes.ts";
import { type ByteString, fromByteString } from "./byte_string.ts";
import type { Space } from "../../text/mod.ts";

/** `\U \L \E \u \l`. */
type CaseOperator = "U" | "L" | "E" | "u" | "l";

/** A part of a replacement. */
type Part =
  | { readonly type: "text"; readonly bytes: Chunk }
  | { readonly type: "group"; readonly group: number }
  | { readonly type: "case"; readonly operator: CaseOperator };

/** The right side of `s`, parsed. */
export interface Replacement {
  /** The parts in order. */
  readonly parts: readonly Part[];
  /** The highest sub-expression that it refers to. */
  readonly groups: number;
  /** True if it changes case. */
  readonly changesCase: boolean;
  /** The whole text, if it does not depend on the match. */
  readonly literal: Chunk | undefined;
}

const CASE = /^[ULEul]$/;

/** Parses the right side of `s`. */
export function parseReplacement(text: ByteString, posix: boolean): Replacement {
  const parts: Part[] = [];
  let literal = "";
  let groups = 0;
  const flush = (): void => {
    if (literal !== "") parts.push({ type: "text", bytes: fromByteString(literal) });
    literal = "";
  };
  for (let i = 0; i < text.length;) {
    const ch = text[i] as string;
    const next = text[i + 1];
    if (ch === "&") {
      flush();
      parts.push({ type: "group", group: 0 });
      i++;
    } else if (ch !== "\\" || next === undefined) {
      literal += ch;
      i++;
    } else if (next >= "0" && next <= "9") {
      flush();
      const group = Number(next);
      groups = Math.max(groups, group);
      parts.push({ type: "group", group });
      i += 2;
    } else if (!posix && CASE.test(next)) {
      flush();
      parts.push({ type: "case", operator: next as CaseOperator });
      i += 2;
    } else {
      const escape = readEscape(text, i);
      literal += escape?.byte ?? next;
      i += escape?.length ?? 2;
    }
  }
  flush();
  const plain = parts.every((part) => part.type === "text");
  const first = parts[0];
  return {
    parts,
    groups,
    changesCase: parts.some((part) => part.type === "case"),
    literal: !plain ? undefined : first?.type === "text" ? first.bytes : new Uint8Array(0),
  };
}

/** Appends the replacement of a match; `registers` are its offsets in `bytes`. */
export function appendReplacement(
  into: Space,
  replacement: Replacement,
  bytes: Chunk,
  registers: Int32Array,
): void {
  if (replacement.literal !== undefined) return into.append(replacement.literal);
  if (replacement.changesCase) return appendChanged(into, replacement, bytes, registers);
  for (const part of replacement.parts) {
    if (part.type === "text") into.append(part.bytes);
    else if (part.type === "group") {
      const start = registers[part.group * 2] as number;
      if (start >= 0) into.append(bytes, start, registers[part.group * 2 + 1] as number);
    }
  }
}

function appendChanged(
  into: Space,
  replacement: Replacement,
  bytes: Chunk,
  registers: Int32Array,
): void {
  let mode: "U" | "L" | "E" = "E";
  let once: "u" | "l" | "" = "";
  // As in GNU sed, `once` also applies to the part after the next one if that is empty.
  let own = false;
  for (const part of replacement.parts) {
    if (part.type === "case") {
      own = part.operator === "u" || part.operator === "l";
      if (part.operator === "u" || part.operator === "l") once = part.operator;
      else {
        mode = part.operator;
        once = "";
      }
      continue;
    }
    const from = part.type === "text" ? part.bytes : bytes;
    let start = 0;
    let end = from.length;
    if (part.type === "group") {
      start = registers[part.group * 2] as number;
      end = registers[part.group * 2 + 1] as number;
    }
    if (start < 0 || start === end) {
      if (!own) once = "";
      own = false;
      continue;
    }
    own = false;
    if (once !== "") {
      const next = nextSymbol(from, start, end);
      appendCase(into, from, start, next, once === "u");
      once = "";
      start = next;
    }
    if (mode === "E") into.append(from, start, end);
    else appendCase(into, from, start, end, mode === "U");
  }
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Appends characters in upper or lower case if the result is a single character; other bytes
 * unchanged. As in GNU sed, bytes from a NUL on are not changed.
 */
function appendCase(
  into: Space,
  from: Uint8Array,
  start: number,
  end: number,
  upper: boolean,
): void {
  const first = upper ? 97 : 65;
  for (let at = start; at < end;) {
    const byte = from[at] as number;
    if (byte === 0) return into.append(from, at, end);
    if (byte < 0x80) {
      into.appendByte(byte >= first && byte < first + 26 ? byte ^ 32 : byte);
      at++;
      continue;
    }
    const next = nextSymbol(from, at, end);
    if (next === at + 1) into.appendByte(byte);
    else {
      const character = decoder.decode(from.subarray(at, next));
      const changed = simpleCase(character, upper);
      if (changed === character) into.append(from, at, next);
      else into.append(encoder.encode(changed));
    }
    at = next;
  }
}

/** Unicode's simple case mapping, from one character to one. */
function simpleCase(character: string, upper: boolean): string {
  const point = character.codePointAt(0) ?? 0;
  if (!upper && point === 0x130) return "i";
  const changed = upper ? character.toUpperCase() : character.toLowerCase();
  if ([...changed].length === 1) return changed;
  if (upper && point >= 0x1f80 && point < 0x1fb0 && (point & 8) === 0) {
    return String.fromCodePoint(point + 8);
  }
  if (upper && (point === 0x1fb3 || point === 0x1fc3 || point === 0x1ff3)) {
    return String.fromCodePoint(point + 9);
  }
  return character;
}
