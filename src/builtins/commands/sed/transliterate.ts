import { nextSymbol } from "../../../regex/mod.ts";
import type { Chunk } from "../../../streams/mod.ts";
import { readEscape } from "./escapes.ts";
import type { Space } from "../../text/mod.ts";
import { type ByteString, fromByteString, toByteString } from "./byte_string.ts";

/** The effect of `y` on each character. */
export type Transliteration =
  | { readonly type: "bytes"; readonly table: Uint8Array }
  | { readonly type: "characters"; readonly map: ReadonlyMap<string, Chunk> };

/** Resolves the escapes in one side of `y` and splits it into characters. */
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

/** Builds the table of `y/from/to/`; `undefined` if the sides differ in length. */
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

/** Transliterates the pattern space. */
export function transliterate(space: Space, how: Transliteration): void {
  if (how.type === "bytes") {
    space.own();
    const { bytes, start, end } = space;
    const { table } = how;
    for (let i = start; i < end; i++) bytes[i] = table[bytes[i] as number] as number;
    return;
  }
  const { start, end } = space;
  const bytes = space.bytes.slice(start, end);
  space.clear();
  for (let at = 0; at < bytes.length;) {
    const next = nextSymbol(bytes, at, bytes.length);
    const target = how.map.get(toByteString(bytes.subarray(at, next)));
    if (target === undefined) space.append(bytes, at, next);
    else space.append(target);
    at = next;
  }
}
