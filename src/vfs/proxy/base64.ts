/** Newer runtimes have these; Node 20 and TypeScript's ES2023 do not. */
interface ToBase64 {
  toBase64(): string;
}
interface FromBase64 {
  fromBase64(text: string): Uint8Array<ArrayBuffer>;
}
interface SetFromBase64 {
  setFromBase64(text: string): { readonly read: number; readonly written: number };
}

/** Bytes as base64. */
export function toBase64(bytes: Uint8Array): string {
  const array: object = bytes;
  if (canEncode(array)) return array.toBase64();
  let binary = "";
  for (let at = 0; at < bytes.length; at += PIECE) {
    binary += String.fromCharCode(...bytes.subarray(at, at + PIECE));
  }
  return btoa(binary);
}

/** The bytes of base64 with its padding and nothing else; `undefined` for any other text. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  const length = lengthOf(text);
  if (length === undefined) return undefined;
  try {
    const array: unknown = Uint8Array;
    const bytes = canDecode(array)
      ? array.fromBase64(text)
      : Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    // Both skip white space, so that fewer bytes come out than the text is long.
    return bytes.length === length ? bytes : undefined;
  } catch {
    return undefined;
  }
}

/** The same, written to the beginning of `into`; how many bytes, `undefined` also if they don't fit. */
export function fromBase64Into(text: string, into: Uint8Array<ArrayBuffer>): number | undefined {
  const length = lengthOf(text);
  if (length === undefined || length > into.length) return undefined;
  const array: object = into;
  if (canSet(array)) {
    try {
      return array.setFromBase64(text).written === length ? length : undefined;
    } catch {
      return undefined;
    }
  }
  const bytes = fromBase64(text);
  if (bytes !== undefined) into.set(bytes);
  return bytes?.length;
}

/** How many bytes a text is if it is base64. */
function lengthOf(text: string): number | undefined {
  if (text.length % 4 !== 0) return undefined;
  return text.length / 4 * 3 - (text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0);
}

/** Arguments that a call takes without trouble. */
const PIECE = 8192;

function canEncode(array: object): array is ToBase64 {
  return "toBase64" in array;
}

function canSet(array: object): array is SetFromBase64 {
  return "setFromBase64" in array;
}

function canDecode(array: unknown): array is FromBase64 {
  return typeof array === "function" && "fromBase64" in array;
}
