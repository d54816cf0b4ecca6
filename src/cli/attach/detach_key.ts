/** The key that leaves a session, held with Ctrl; `none` if no key does. */
export type DetachKey = string;

/** Returns a function that finds the key in typed bytes: its index, or `undefined`. */
export function detachKeyFinder(key: DetachKey): (bytes: Uint8Array) => number | undefined {
  if (key === "none") return () => undefined;
  const code = key.charCodeAt(0);
  // The control character, and both encodings of keys that programs can switch on.
  const spellings = [String.fromCharCode(code & 0x1f), `\x1b[${code};5u`, `\x1b[27;5;${code}~`]
    .map((text) => new TextEncoder().encode(text));
  return (bytes) => {
    for (let at = 0; at < bytes.length; at++) {
      const here = spellings.some((it) => it.every((byte, offset) => bytes[at + offset] === byte));
      if (here) return at;
    }
    return undefined;
  };
}

/** A hint about leaving, for people. */
export function howToLeave(key: DetachKey): string {
  return key === "none" ? "closing this terminal leaves it" : `Ctrl+${key.toUpperCase()} leaves it`;
}
