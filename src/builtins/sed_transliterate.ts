import { nextSymbol } from "../regex/mod.ts";
import type { Chunk } from "../streams/mod.ts";
import { readEscape } from "./sed_escapes.ts";
import { type ByteString, fromByteString, toByteString } from "./sed_script.ts";

/** What `y` does to each character. */
export type Transliteration =
  | { readonly type: "bytes"; readonly table: Uint8Array }
  | { readonly type: "characters"; readonly map: ReadonlyMap<string, Chunk> };

/** Takes the escapes out of one side of `y` and cuts it into characters. */
function charactersOf(side: ByteString): ByteString[] {
  let text = "";
  for (let i = 0; i < side.length;) {
    if (side[i] !== "\\" || i + 1 >= side.length) {
      text += side[i++];
      continue;
    }
    const escape = readEscape(side, i);
    text += escape?.byte ?? side[i + 1];
    i += escape?.length ?? 2;
  }
  const bytes = fromByteString(text);
  const characters: ByteString[] = [];
  for (let at = 0; at < bytes.length;) {
    const next = nextSymbol(bytes, at, bytes.length);
    characters.push(text.slice(at, next));
    at = next;
  }
  return characters;
}

/** Makes the table of `y/from/to/`, or says `undefined` when the sides differ in length. */
export function transliteration(from: ByteString, to: ByteString): Transliteration | undefined {
  const source = charactersOf(from);
  const target = charactersOf(to);
  if (source.length !== target.length) return undefined;
  const map = new Map<string, Chunk>();
  for (const [i, character] of source.entries()) {
    if (!map.has(character)) map.set(character, fromByteString(target[i] ?? ""));
  }
  const plain = source.every((character) => character < "\x80" && character.length === 1) &&
    target.every((character) => character.length === 1);
  if (!plain) return { type: "characters", map };
  const table = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  for (const [character, bytes] of map) table[character.charCodeAt(0)] = bytes[0] as number;
  return { type: "bytes", table };
}

/** The characters of `bytes[start..end)` transliterated, in new memory. */
export function transliterate(
  bytes: Chunk,
  start: number,
  end: number,
  how: Transliteration,
): Chunk {
  if (how.type === "bytes") {
    const result = bytes.slice(start, end);
    const { table } = how;
    for (let i = 0; i < result.length; i++) result[i] = table[result[i] as number] as number;
    return result;
  }
  const parts: Chunk[] = [];
  let size = 0;
  for (let at = start; at < end;) {
    const next = nextSymbol(bytes, at, end);
    const part = how.map.get(toByteString(bytes.subarray(at, next))) ?? bytes.subarray(at, next);
    parts.push(part);
    size += part.length;
    at = next;
  }
  const result = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    result.set(part, at);
    at += part.length;
  }
  return result;
}
