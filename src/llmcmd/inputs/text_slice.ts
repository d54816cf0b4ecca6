/** A piece of a descriptor's bytes as the model sees it. */
export interface TextSlice {
  /** The text, or the bytes in base64. */
  text: string;
  /** Present when the bytes are not UTF-8. */
  encoding?: "base64";
  /** The number of the descriptor's bytes that it represents. */
  size: number;
}

/** Bytes needed beyond the wanted size to complete a character that is cut there. */
export const LOOKAHEAD = 3;

/**
 * Makes text of at most `max` bytes, cut between UTF-8 characters; a first character longer than
 * `max` comes whole. `bytes` begins at the place to read and holds up to {@linkcode LOOKAHEAD}
 * bytes more than `max`; `ended` says that nothing follows it.
 *
 * Bytes that are not UTF-8 come as base64, also cut before an incomplete character, so that the
 * next slice begins with a whole one.
 */
export function sliceText(bytes: Uint8Array, max: number, ended: boolean): TextSlice {
  const wanted = bytes.subarray(0, max);
  const complete = ended && wanted.length === bytes.length
    ? wanted.length
    : wanted.length - unfinished(wanted);
  if (complete === 0 && wanted.length > 0) return firstCharacter(bytes, wanted.length, ended);
  const slice = wanted.subarray(0, complete);
  const text = decode(slice);
  if (text !== undefined) return { text, size: slice.length };
  return { text: base64(slice), encoding: "base64", size: slice.length };
}

/** `wanted` bytes are the beginning of one character: gives all of it, or nothing yet. */
function firstCharacter(bytes: Uint8Array, wanted: number, ended: boolean): TextSlice {
  const whole = bytes.subarray(0, sequenceLength(bytes[0] as number));
  const text = decode(whole);
  if (text !== undefined) return { text, size: whole.length };
  // The rest has not arrived yet, as in a pipe that waits for its writer, or the bytes are no
  // character.
  if (!ended && unfinished(whole) === whole.length) return { text: "", size: 0 };
  return { text: base64(bytes.subarray(0, wanted)), encoding: "base64", size: wanted };
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Length of the sequence that a lead byte begins (RFC 3629, section 4); 1 for all other bytes. */
function sequenceLength(byte: number): number {
  if (byte >= 0xc2 && byte <= 0xdf) return 2;
  if (byte >= 0xe0 && byte <= 0xef) return 3;
  return byte >= 0xf0 && byte <= 0xf4 ? 4 : 1;
}

/** The number of bytes at the end that begin a character without finishing it: 0 to 3. */
export function unfinished(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] as number;
    if ((byte & 0xc0) !== 0x80) return sequenceLength(byte) > back ? back : 0;
  }
  return 0;
}

function base64(bytes: Uint8Array): string {
  let latin1 = "";
  // Small enough for the engine's limit of arguments.
  for (let at = 0; at < bytes.length; at += 8192) {
    latin1 += String.fromCharCode(...bytes.subarray(at, at + 8192));
  }
  return btoa(latin1);
}
