import { Digest } from "./digest.ts";

/** RFC 1321, 3.4: the integer part of 4294967296 times abs(sin(i)). */
const SINES = Int32Array.from(
  { length: 64 },
  (_, i) => Math.floor(Math.abs(Math.sin(i + 1)) * 4294967296),
);
/** Rotation distance of each step. */
const SHIFTS = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]].flatMap(
  (round) => [round, round, round, round].flat(),
);
const ROTATIONS = Uint8Array.from(SHIFTS);
/** Index of the word that each step uses. */
const WORDS = Uint8Array.from({ length: 64 }, (_, i) => {
  const [factor = 1, offset = 0] = [[1, 0], [5, 1], [3, 5], [7, 0]][i >> 4] ?? [];
  return (factor * i + offset) & 15;
});

/** MD5 (RFC 1321). */
export class Md5 extends Digest {
  readonly #words = new Int32Array(16);

  /** Starts a digest. */
  constructor() {
    super([0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476], true);
  }

  protected override blocks(bytes: Uint8Array, start: number, end: number): void {
    const x = this.#words;
    const { state } = this;
    for (let at = start; at < end; at += 64) {
      for (let i = 0; i < 16; i++) {
        const from = at + 4 * i;
        x[i] = (bytes[from] as number) | ((bytes[from + 1] as number) << 8) |
          ((bytes[from + 2] as number) << 16) | ((bytes[from + 3] as number) << 24);
      }
      let a = (state[0] as number) | 0;
      let b = (state[1] as number) | 0;
      let c = (state[2] as number) | 0;
      let d = (state[3] as number) | 0;
      for (let i = 0; i < 64; i++) {
        let f: number;
        if (i < 16) f = d ^ (b & (c ^ d));
        else if (i < 32) f = c ^ (d & (b ^ c));
        else if (i < 48) f = b ^ c ^ d;
        else f = c ^ (b | ~d);
        const sum = (a + f + (x[WORDS[i] as number] as number) + (SINES[i] as number)) | 0;
        const by = ROTATIONS[i] as number;
        a = d;
        d = c;
        c = b;
        b = (b + ((sum << by) | (sum >>> (32 - by)))) | 0;
      }
      state[0] = (state[0] as number) + a;
      state[1] = (state[1] as number) + b;
      state[2] = (state[2] as number) + c;
      state[3] = (state[3] as number) + d;
    }
  }
}
