/** The key that leaves a session, held with Ctrl; `none` where no key does. */
export type DetachKey = string;

/** Finds where the key is in what was typed; `undefined` if it is not there. */
export function detachKeyFinder(key: DetachKey): (bytes: Uint8Array) => number | undefined {
  if (key === "none") return () => undefined;
  const code = key.charCodeAt(0);
  // As it is, and in both ways of telling keys that programs ask for.
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

/** How to leave, for people. */
export function howToLeave(key: DetachKey): string {
  return key === "none" ? "closing this terminal leaves it" : `Ctrl+${key.toUpperCase()} leaves it`;
}
