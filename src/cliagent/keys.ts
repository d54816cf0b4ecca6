import { hexadecimal, sameSecret } from "../base/mod.ts";

/** Form of a key's hash in a registry. */
export const keyHashPattern = /^sha256:[0-9a-f]{64}$/;

/**
 * Hashes a gateway's key for `apiKeys`: `sha256:` and 64 hex digits. Keys are long and random, so a
 * slow hash would add no protection.
 */
export async function hashKey(key: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(key));
  return `sha256:${hexadecimal(new Uint8Array(digest))}`;
}

/** True if one of the hashes is the key's. Takes the same time whichever it is. */
export async function matchesKey(key: string, hashes: readonly string[]): Promise<boolean> {
  const hash = await hashKey(key);
  let found = false;
  for (const other of hashes) found = sameSecret(hash, other) || found;
  return found;
}
