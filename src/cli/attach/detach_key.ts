/** Ctrl+] as terminals send it: as it is, and in both ways of telling keys that programs ask for. */
const KEYS = ["\x1d", "\x1b[93;5u", "\x1b[27;5;93~"].map((text) => new TextEncoder().encode(text));

/** Where the key that leaves a session is in what was typed; `undefined` if it is not there. */
export function detachKey(bytes: Uint8Array): number | undefined {
  for (let at = 0; at < bytes.length; at++) {
    if (KEYS.some((key) => key.every((byte, offset) => bytes[at + offset] === byte))) return at;
  }
  return undefined;
}
