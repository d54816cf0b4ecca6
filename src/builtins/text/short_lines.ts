/** Number of bytes examined. */
const SAMPLE = 1024;
/** Mean length up to which lines are short. */
const SHORT = 32;

/**
 * True if most lines are short, judged by the first ones. Then a loop over all bytes is cheaper
 * than a search for each line's end.
 */
export function hasShortLines(bytes: Uint8Array, separator: number): boolean {
  const size = Math.min(bytes.length, SAMPLE);
  let lines = 0;
  for (let i = 0; i < size; i++) {
    if (bytes[i] === separator) lines++;
  }
  return lines * SHORT >= size;
}
