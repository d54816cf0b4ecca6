const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * A script with one character for each byte, so that positions in messages are those of GNU sed.
 */
export type ByteString = string;

/** The bytes of a text as characters. */
export function toByteString(bytes: Uint8Array): ByteString {
  let text = "";
  for (let i = 0; i < bytes.length; i += 4096) {
    text += String.fromCharCode(...bytes.subarray(i, i + 4096));
  }
  return text;
}

/** The UTF-8 bytes of an argument as characters. */
export function encodeArgument(argument: string): ByteString {
  return toByteString(encoder.encode(argument));
}

/** The bytes of such a text. */
export function fromByteString(text: ByteString): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

/** The original text, for messages and file names. */
export function decodeByteString(text: ByteString): string {
  return decoder.decode(fromByteString(text));
}
