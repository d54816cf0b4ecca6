/** Number of edits between two words: insertions, deletions, substitutions, swaps of neighbours. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let edits = Math.min(
        (above[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (above[j - 1] ?? 0) + (same ? 0 : 1),
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        edits = Math.min(edits, (before[j - 2] ?? 0) + 1);
      }
      row.push(edits);
    }
    before = above;
    above = row;
  }
  return above[b.length] ?? 0;
}

/**
 * Finds the candidate that a mistyped word most likely meant, for "did you mean".
 *
 * Allows one edit for every three letters, at least one and at most three, and fewer than the
 * candidate has letters. Ignores case: people leave Caps Lock on, and models write names as another
 * program spells them (`Read`). The first of equally near candidates wins. Returns `undefined` if
 * none is near.
 */
export function closest(word: string, candidates: Iterable<string>): string | undefined {
  const wanted = word.toLowerCase();
  let best: string | undefined;
  let fewest = Math.min(3, Math.max(1, Math.floor(wanted.length / 3))) + 1;
  for (const candidate of candidates) {
    const edits = distance(wanted, candidate.toLowerCase());
    if (edits < fewest && edits < candidate.length) {
      best = candidate;
      fewest = edits;
    }
  }
  return best;
}
