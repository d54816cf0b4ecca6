import { compileSedRegex, readDelimited } from "./substitute.ts";
import type { Address, RangeEnd } from "./program.ts";
import { isDigit, type ScriptDialect, type ScriptReader } from "./script.ts";

/** The addresses before a command's letter, and the letter; `""` at the end of the script. */
export interface Addresses {
  readonly from: Address | undefined;
  readonly to: RangeEnd | undefined;
  readonly negate: boolean;
  readonly name: string;
}

/** Parses the addresses that begin with `first`. */
export function parseAddresses(
  reader: ScriptReader,
  first: string,
  options: ScriptDialect,
): Addresses {
  let ch = first;
  let to: RangeEnd | undefined;
  const from = parseAddress(reader, ch, options);
  if (from !== undefined) {
    if (from.type === "plus" || from.type === "multiple") {
      reader.fail("invalid usage of +N or ~N as first address");
    }
    ch = reader.readNonBlank();
    if (ch === ",") {
      to = parseAddress(reader, reader.readNonBlank(), options);
      if (to === undefined) reader.fail("unexpected `,'");
      ch = reader.readNonBlank();
    }
    if (from.type === "line" && from.line === 0) {
      const allowed = !options.posix && (to === undefined ? ch === "r" : to.type === "regex");
      if (!allowed) reader.fail("invalid usage of line address 0");
    }
  }
  let negate = false;
  if (ch === "!") {
    negate = true;
    ch = reader.readNonBlank();
    if (ch === "!") reader.fail("multiple `!'s");
  }
  return { from: from as Address | undefined, to, negate, name: ch };
}

function parseAddress(
  reader: ScriptReader,
  first: string,
  options: ScriptDialect,
): RangeEnd | undefined {
  if (first === "/" || first === "\\") return parseRegexAddress(reader, first, options);
  if (isDigit(first)) {
    const line = reader.readNumber(first);
    if (options.posix) return { type: "line", line };
    const ch = reader.readNonBlank();
    if (ch !== "~") {
      reader.back(ch);
      return { type: "line", line };
    }
    const step = readCount(reader);
    return step > 0 ? { type: "step", first: line, step } : { type: "line", line };
  }
  if ((first === "+" || first === "~") && !options.posix) {
    const count = readCount(reader);
    // GNU sed treats a + or ~ without a number as an address that selects every line.
    if (count === 0) return { type: "step", first: 0, step: 1 };
    return { type: first === "+" ? "plus" : "multiple", count };
  }
  return first === "$" ? { type: "last" } : undefined;
}

function readCount(reader: ScriptReader): number {
  const ch = reader.readNonBlank();
  if (isDigit(ch)) return reader.readNumber(ch);
  reader.back(ch);
  return 0;
}

function parseRegexAddress(reader: ScriptReader, first: string, options: ScriptDialect): Address {
  const delimiter = first === "\\" ? reader.read() : first;
  const pattern = readDelimited(reader, delimiter, true);
  if (pattern === undefined) reader.fail("unterminated address regex");
  let ignoreCase = false;
  let multiline = false;
  for (;;) {
    const ch = reader.readNonBlank();
    if (ch === "I" && !options.posix) ignoreCase = true;
    else if (ch === "M" && !options.posix) multiline = true;
    else {
      reader.back(ch);
      break;
    }
  }
  const regex = compileSedRegex(reader, pattern, { ignoreCase, multiline }, options);
  return { type: "regex", regex };
}
