import { COUNT_SUFFIXES, InvalidArgument, parseNumber } from "../../core/mod.ts";

/** Reads a number of bytes as `strtoumax` does: decimal, octal after 0, hexadecimal after 0x. */
export function byteCount(text: string, option: string): bigint {
  const [, space = "", digits = ""] = /^([ \t\n\v\f\r]*\+?)(0[xX][0-9a-fA-F]+|0[0-7]*|[1-9]\d*)/
    .exec(text) ?? [];
  const octal = /^0[0-7]+$/.test(digits) ? `0o${digits.slice(1)}` : digits;
  const rest = text.slice(space.length + digits.length);
  if (/^0[0-7]*$/.test(digits) && /^[89]/.test(rest)) {
    throw badNumber("invalid suffix", text, option);
  }
  const number = parseNumber(
    digits === "" ? text : `${space}${BigInt(octal)}${rest}`,
    COUNT_SUFFIXES,
  );
  if (number.ok) return number.value;
  throw badNumber(number.problem, text, option);
}

/** Reads a width in bytes: decimal, without a suffix. */
export function widthOf(text: string, option: string): bigint {
  const number = parseNumber(text, "");
  if (number.ok) return number.value;
  throw badNumber(number.problem, text, option);
}

function badNumber(problem: string, text: string, option: string): InvalidArgument {
  return new InvalidArgument(
    problem === "overflow"
      ? `${option} argument '${text}' too large`
      : `${problem === "invalid" ? "invalid" : "invalid suffix in"} ${option} argument '${text}'`,
  );
}
