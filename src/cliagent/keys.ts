/** How a hash of a key looks in a registry. */
export const keyHashPattern = /^sha256:[0-9a-f]{64}$/;

/**
 * The hash of a gateway's key for `apiKeys`: `sha256:` and 64 hex digits. Keys are long and random,
 * so that a slow hash would add nothing.
 */
export async function hashKey(key: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(key));
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0"));
  return `sha256:${hex.join("")}`;
}

/** Whether one of the hashes is that of the key. Takes the same time whichever it is. */
export async function matchesKey(key: string, hashes: readonly string[]): Promise<boolean> {
  const hash = await hashKey(key);
  let found = false;
  for (const other of hashes) {
    let difference = hash.length ^ other.length;
    for (let i = 0; i < hash.length; i++) {
      difference |= hash.charCodeAt(i) ^ other.charCodeAt(i);
    }
    found = difference === 0 || found;
  }
  return found;
}
