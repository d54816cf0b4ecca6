/** Concatenates the parts. A single part is returned as it is, not copied. */
export function joinBytes<Part extends Uint8Array>(
  parts: readonly Part[],
): Part | Uint8Array<ArrayBuffer> {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
