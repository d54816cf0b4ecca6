/** Methods of newer runtimes, missing in Node 20 and in TypeScript's ES2023. */
interface ToBase64 {
  toBase64(): string;
}
interface FromBase64 {
  fromBase64(text: string): Uint8Array<ArrayBuffer>;
}
interface SetFromBase64 {
  setFromBase64(text: string): { read: number; written: number };
}

/** Encodes bytes in base64. */
export function toBase64(bytes: Uint8Array): string {
  const array: object = bytes;
  if (canEncode(array)) return array.toBase64();
  let binary = "";
  for (let at = 0; at < bytes.length; at += PIECE) {
    binary += String.fromCharCode(...bytes.subarray(at, at + PIECE));
  }
  return btoa(binary);
}

/**
 * Decodes padded base64 without white space into an array. Returns the number of bytes; `undefined`
 * if the text is anything else, or the array is too short.
 */
export function fromBase64Into(text: string, into: Uint8Array): number | undefined {
  const array: object = into;
  const size = text.length / 4 * 3 - paddingOf(text);
  if (text.length % 4 !== 0 || size > into.length) return undefined;
  if (!canSet(array)) {
    const bytes = fromBase64(text);
    if (bytes !== undefined) into.set(bytes);
    return bytes?.length;
  }
  try {
    const { written } = array.setFromBase64(text);
    return written === size ? size : undefined;
  } catch {
    return undefined;
  }
}

function paddingOf(text: string): number {
  return text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
}

/** Decodes padded base64 without white space; `undefined` for any other text. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (text.length % 4 !== 0) return undefined;
  try {
    const array: unknown = Uint8Array;
    const bytes = canDecode(array)
      ? array.fromBase64(text)
      : Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    // Both decoders skip white space: then there are fewer bytes than the text's length implies.
    return bytes.length === text.length / 4 * 3 - paddingOf(text) ? bytes : undefined;
  } catch {
    return undefined;
  }
}

/** A number of arguments that every runtime accepts in a call. */
const PIECE = 8192;

function canEncode(array: object): array is ToBase64 {
  return "toBase64" in array;
}

function canDecode(array: unknown): array is FromBase64 {
  return typeof array === "function" && "fromBase64" in array;
}

function canSet(array: object): array is SetFromBase64 {
  return "setFromBase64" in array;
}
