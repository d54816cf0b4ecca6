import { Digest } from "./digest.ts";

/** The first 32 bits of a root's fraction, from which FIPS 180-4 derives its constants. */
function fraction(root: number): number {
  return Math.floor((root - Math.floor(root)) * 4294967296);
}

function firstPrimes(count: number): number[] {
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n++) {
    if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  }
  return primes;
}

const PRIMES = firstPrimes(64);
/** FIPS 180-4, 4.2.2. */
const ROUNDS = Int32Array.from(PRIMES, (prime) => fraction(Math.cbrt(prime)));
/** FIPS 180-4, 5.3.3. */
const INITIAL = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));

/** SHA-256 (FIPS 180-4). */
export class Sha256 extends Digest {
  readonly #schedule = new Int32Array(64);

  /** Starts a digest. */
  constructor() {
    super(INITIAL, false);
  }

  protected override blocks(bytes: Uint8Array, start: number, end: number): void {
    const w = this.#schedule;
    const { state } = this;
    for (let at = start; at < end; at += 64) {
      for (let i = 0; i < 16; i++) {
        const from = at + 4 * i;
        w[i] = ((bytes[from] as number) << 24) | ((bytes[from + 1] as number) << 16) |
          ((bytes[from + 2] as number) << 8) | (bytes[from + 3] as number);
      }
      for (let i = 16; i < 64; i++) {
        const p = w[i - 15] as number;
        const q = w[i - 2] as number;
        const s0 = ((p >>> 7) | (p << 25)) ^ ((p >>> 18) | (p << 14)) ^ (p >>> 3);
        const s1 = ((q >>> 17) | (q << 15)) ^ ((q >>> 19) | (q << 13)) ^ (q >>> 10);
        w[i] = ((w[i - 16] as number) + s0 + (w[i - 7] as number) + s1) | 0;
      }
      let a = (state[0] as number) | 0;
      let b = (state[1] as number) | 0;
      let c = (state[2] as number) | 0;
      let d = (state[3] as number) | 0;
      let e = (state[4] as number) | 0;
      let f = (state[5] as number) | 0;
      let g = (state[6] as number) | 0;
      let h = (state[7] as number) | 0;
      for (let i = 0; i < 64; i++) {
        const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
        const t1 = (h + s1 + (g ^ (e & (f ^ g))) + (ROUNDS[i] as number) + (w[i] as number)) | 0;
        const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
        const t2 = (s0 + ((a & b) | (c & (a | b)))) | 0;
        h = g;
        g = f;
        f = e;
        e = (d + t1) | 0;
        d = c;
        c = b;
        b = a;
        a = (t1 + t2) | 0;
      }
      state[0] = (state[0] as number) + a;
      state[1] = (state[1] as number) + b;
      state[2] = (state[2] as number) + c;
      state[3] = (state[3] as number) + d;
      state[4] = (state[4] as number) + e;
      state[5] = (state[5] as number) + f;
      state[6] = (state[6] as number) + g;
      state[7] = (state[7] as number) + h;
    }
  }
}
