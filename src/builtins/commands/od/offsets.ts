import { COUNT_SUFFIXES, InvalidArgument, parseNumber } from "../../core/mod.ts";

/** A number of bytes as `strtoumax` reads it: decimal, octal after 0, hexadecimal after 0x. */
export function byteCount(text: string, option: string): bigint {
  const [, space = "", digits = ""] = /^([ \t\n\v\f\r]*\+?)(0[xX][0-9a-fA-F]+|0[0-7]*|[1-9]\d*)/
    .exec(text) ?? [];
  const octal = /^0[0-7]+$/.test(digits) ? `0o${digits.slice(1)}` : digits;
  const rest = text.slice(space.length + digits.length);
  if (/^0[0-7]*$/.test(digits) && /^[89]/.test(rest)) throw refuse("invalid suffix", text, option);
  const number = parseNumber(
    digits === "" ? text : `${space}${BigInt(octal)}${rest}`,
    COUNT_SUFFIXES,
  );
  if (number.ok) return number.value;
  throw refuse(number.problem, text, option);
}

/** A width in bytes: decimal, without suffix. */
export function widthOf(text: string, option: string): bigint {
  const number = parseNumber(text, "");
  if (number.ok) return number.value;
  throw refuse(number.problem, text, option);
}

function refuse(problem: string, text: string, option: string): InvalidArgument {
  return new InvalidArgument(
    problem === "overflow"
      ? `${option} argument '${text}' too large`
      : `${problem === "invalid" ? "invalid" : "invalid suffix in"} ${option} argument '${text}'`,
  );
}

/** An offset of the old form: octal, or hexadecimal after 0x, in blocks of 512 with `b`. */
function oldOffset(text: string): bigint | undefined {
  const [, hex, octal, suffix] = /^\+?(?:0[xX]([0-9a-fA-F]+)|([0-7]+))([bB]?)$/.exec(text) ?? [];
  const digits = hex !== undefined ? `0x${hex}` : octal !== undefined ? `0o${octal}` : undefined;
  if (digits === undefined) return undefined;
  return BigInt(digits) * (suffix === "b" ? 512n : suffix === "B" ? 1024n : 1n);
}

/** Takes old offsets from the operands: `FILE [+]OFFSET [+]LABEL`. */
export function oldOffsets(
  files: string[],
  traditional: boolean,
): { files: string[]; skip?: bigint; label: bigint | undefined } {
  const [a = "", b = "", c = ""] = files;
  const none = { files, label: undefined };
  if (files.length === 1) {
    const skip = traditional || a.startsWith("+") ? oldOffset(a) : undefined;
    return skip === undefined ? none : { files: [], skip, label: undefined };
  }
  if (files.length === 2) {
    const second = traditional || /^[+\d]/.test(b) ? oldOffset(b) : undefined;
    if (second === undefined) return none;
    const first = traditional ? oldOffset(a) : undefined;
    return first === undefined
      ? { files: [a], skip: second, label: undefined }
      : { files: [], skip: first, label: second };
  }
  if (files.length === 3 && traditional) {
    const [skip, label] = [oldOffset(b), oldOffset(c)];
    if (skip !== undefined && label !== undefined) return { files: [a], skip, label };
  }
  return none;
}
