/**
 * Whether two secrets are the same, in a time that does not reveal where they differ; it reveals
 * whether they are of one length.
 */
export function sameSecret(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i);
  return difference === 0;
}
