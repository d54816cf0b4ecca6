/** The reason why a number is invalid. */
export type NumberProblem = "invalid" | "invalid suffix" | "overflow";

/** A number from the command line, or the reason why the text is not valid. */
export type ParsedNumber =
  | { readonly ok: true; readonly value: bigint }
  | { readonly ok: false; readonly problem: NumberProblem };

const POWERS: Readonly<Record<string, number>> = {
  k: 1,
  K: 1,
  m: 2,
  M: 2,
  g: 3,
  G: 3,
  t: 4,
  T: 4,
  P: 5,
  E: 6,
  Z: 7,
  Y: 8,
};

/** The largest value of C's `uintmax_t`. */
export const UINTMAX = 2n ** 64n - 1n;

/**
 * Reads an unsigned number as gnulib's `xstrtoumax` does: leading white space and a plus sign are
 * allowed, and a suffix alone means 1 of it. `suffixes` lists the allowed ones; `0` among them
 * allows `kB` (powers of 1000) and `KiB`.
 */
export function parseNumber(text: string, suffixes: string): ParsedNumber {
  const [, digits = "", rest = ""] = /^[ \t\n\v\f\r]*\+?(\d*)([^]*)$/.exec(text) ?? [];
  const suffix = rest[0];
  if (digits === "" && (suffix === undefined || !suffixes.includes(suffix) || suffix !== text[0])) {
    return { ok: false, problem: "invalid" };
  }
  let value = digits === "" ? 1n : BigInt(digits);
  if (suffix !== undefined) {
    if (!suffixes.includes(suffix)) return { ok: false, problem: "invalid suffix" };
    const power = POWERS[suffix];
    let used = 1;
    let base = 1024n;
    if (power !== undefined && suffixes.includes("0")) {
      if (rest.startsWith("iB", 1)) used = 3;
      else if (rest[1] === "B" || rest[1] === "D") [used, base] = [2, 1000n];
    }
    if (power !== undefined) value *= base ** BigInt(power);
    else if (suffix === "b") value *= 512n;
    else if (suffix !== "c") return { ok: false, problem: "invalid suffix" };
    if (rest.length > used) return { ok: false, problem: "invalid suffix" };
  }
  return value > UINTMAX ? { ok: false, problem: "overflow" } : { ok: true, value };
}

/** The suffixes of `head` and `tail`. */
export const COUNT_SUFFIXES = "bkKmMGTPEZY0";

/** A count as a JavaScript number; Infinity beyond the exact integers. */
export function toCount(value: bigint): number {
  return value > BigInt(Number.MAX_SAFE_INTEGER) ? Infinity : Number(value);
}
