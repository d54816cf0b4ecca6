/** Bytes that are looked at to tell text from binary data. */
const SAMPLE = 8192;

/** Whether bytes that begin a file look like binary data: a NUL among the first. */
export function looksBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, SAMPLE).includes(0);
}

/** The text of bytes, a byte order mark included, or `undefined` when they are not UTF-8. */
export function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The bytes of text. */
export function encodeText(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

/** A number of bytes for people: `512 bytes`, `1.5 MiB`. */
export function size(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  const [value, unit] = bytes < 1024 ** 2
    ? [bytes / 1024, "KiB"]
    : bytes < 1024 ** 3
    ? [bytes / 1024 ** 2, "MiB"]
    : [bytes / 1024 ** 3, "GiB"];
  return `${value >= 100 ? Math.round(value) : Math.round(value * 10) / 10} ${unit}`;
}
