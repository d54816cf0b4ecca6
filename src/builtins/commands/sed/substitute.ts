import { compileRegex, RegexError, RegexLimitError, TURN_SLICE } from "../../../regex/mod.ts";
import { AnchorRegex } from "./anchor.ts";
import { unescapeRegex } from "./escapes.ts";
import { LinewiseRegex } from "./linewise.ts";
import type { SedRegex, Substitution } from "./program.ts";
import { parseReplacement } from "./replace.ts";
import {
  escaped,
  isDigit,
  SANDBOX,
  type ScriptDialect,
  type ScriptReader,
  SedError,
} from "./script.ts";
import { type ByteString, fromByteString } from "./byte_string.ts";

/**
 * Reads up to the delimiter; a backslash before it makes it literal. In a regular expression, `\n`
 * becomes a newline, and a delimiter in brackets is literal. `undefined` if the line ends first.
 */
export function readDelimited(
  reader: ScriptReader,
  delimiter: string,
  isRegex: boolean,
): ByteString | undefined {
  if (delimiter >= "\x80") reader.fail("delimiter character is not a single-byte character");
  let text = "";
  for (;;) {
    let ch = reader.read();
    if (ch === "" || ch === "\n") {
      reader.back(ch);
      return undefined;
    }
    if (ch === delimiter) return text;
    if (ch === "[" && isRegex) {
      const bracket = readBracket(reader);
      if (bracket === undefined) return undefined;
      text += bracket;
      continue;
    }
    if (ch === "\\") {
      ch = reader.read();
      if (ch === "") return undefined;
      if (ch === delimiter) {
        if (!isRegex && ch === "&") text += "\\";
      } else if (ch === "n" && isRegex) {
        ch = "\n";
      } else if (ch !== "\n" || !isRegex) {
        text += "\\";
      }
    }
    text += ch;
  }
}

/** Reads the rest of a bracket expression. */
function readBracket(reader: ScriptReader): ByteString | undefined {
  let text = "[";
  let ch = reader.read();
  if (ch === "^") {
    text += ch;
    ch = reader.read();
  }
  if (ch === "]") {
    text += ch;
    ch = reader.read();
  }
  for (; ch !== "]"; ch = reader.read()) {
    if (ch === "" || ch === "\n") {
      reader.back(ch);
      return undefined;
    }
    text += ch;
    if (ch !== "[") continue;
    const kind = reader.read();
    if (kind !== ":" && kind !== "." && kind !== "=") {
      reader.back(kind);
      continue;
    }
    text += kind;
    let before = "";
    for (ch = reader.read(); !(before === kind && ch === "]"); ch = reader.read()) {
      if (ch === "" || ch === "\n") {
        reader.back(ch);
        return undefined;
      }
      text += ch;
      before = ch;
    }
    text += ch;
  }
  return text + "]";
}

/**
 * Compiles a regular expression of a script; `undefined` for an empty one, which means the last one
 * used. `groups` is the highest sub-expression that a replacement refers to.
 */
export function compileSedRegex(
  reader: ScriptReader,
  pattern: ByteString,
  flags: { readonly ignoreCase: boolean; readonly multiline: boolean },
  options: ScriptDialect,
  groups?: number,
): SedRegex | undefined {
  if (pattern === "") {
    if (flags.ignoreCase || flags.multiline) {
      reader.fail("cannot specify modifiers on empty regexp");
    }
    return undefined;
  }
  const { posix, extended, separator } = options;
  const unescaped = escaped(reader, () => unescapeRegex(pattern, posix));
  const bytes = fromByteString(posix ? withoutExtensions(unescaped, options) : unescaped);
  const checkGroups = (found: number): void => {
    if (posix || groups === undefined || groups <= found) return;
    reader.fail(invalidReference(groups));
  };
  const { ignoreCase, multiline } = flags;
  try {
    const regex = compileRegex(bytes, {
      syntax: extended ? "extended" : "basic",
      dialect: "sed",
      ignoreCase,
      multiline,
      plainAnchors: separator !== 10,
      strayParenthesis: posix,
      slice: TURN_SLICE,
    });
    checkGroups(regex.groups);
    const anchor = !multiline && (pattern === "^" || pattern === "$");
    return {
      regex: anchor
        ? new AnchorRegex(pattern === "$", regex)
        : multiline && separator !== 10
        ? new LinewiseRegex(regex, separator)
        : regex,
      lacksGroups: groups === undefined,
    };
  } catch (error) {
    if (error instanceof RegexError) {
      if (error.groups === undefined) reader.fail(error.message);
      checkGroups(error.groups);
      throw new SedError(error.message, 4);
    }
    if (error instanceof RegexLimitError) reader.fail(error.message);
    throw error;
  }
}

/**
 * Removes the backslash from GNU's own operators, such as `\|` and `\w`, so that they become
 * ordinary characters.
 */
function withoutExtensions(pattern: ByteString, { extended }: ScriptDialect): ByteString {
  const operators = extended ? /[wWsSbB<>`']/ : /[|+?wWsSbB<>`']/;
  return pattern.replace(
    /\[\^?\]?(?:\[([:.=]).*?\1\]|[^\]])*\]|\\([^])/g,
    (all, _kind, escape: string | undefined) =>
      escape !== undefined && operators.test(escape) ? escape : all,
  );
}

/** Parses an `s` command after its letter. `addOutput` reads the file name of the flag `w`. */
export function parseSubstitution(
  reader: ScriptReader,
  options: ScriptDialect,
  addOutput: () => number,
): Substitution {
  const delimiter = reader.read();
  const pattern = readDelimited(reader, delimiter, true);
  if (pattern === undefined) return reader.fail("unterminated `s' command");
  const right = readDelimited(reader, delimiter, false);
  if (right === undefined) return reader.fail("unterminated `s' command");
  const replacement = escaped(reader, () => parseReplacement(right, options.posix));
  const flags = parseFlags(reader, options, addOutput);
  const regex = compileSedRegex(reader, pattern, flags, options, replacement.groups);
  if (flags.execute) {
    reader.fail(
      options.sandbox
        ? SANDBOX
        : "the `e' flag of `s' is not supported: it would run other programs",
    );
  }
  const { global, print, nth, output } = flags;
  return { regex, replacement, global, print, nth, output };
}

/** The message for a reference to a sub-expression that does not exist. */
export function invalidReference(group: number): string {
  return `invalid reference \\${group} on \`s' command's RHS`;
}

interface Flags {
  ignoreCase: boolean;
  multiline: boolean;
  global: boolean;
  print: boolean;
  nth: number;
  output: number;
  execute: boolean;
}

function parseFlags(reader: ScriptReader, options: ScriptDialect, addOutput: () => number): Flags {
  const flags: Flags = {
    ignoreCase: false,
    multiline: false,
    global: false,
    print: false,
    nth: 1,
    output: -1,
    execute: false,
  };
  let numbered = false;
  for (;;) {
    const ch = reader.readNonBlank();
    if (ch === "" || ch === "\n" || ch === ";") return flags;
    if (ch === "}" || ch === "#") {
      reader.back(ch);
      return flags;
    }
    if ((ch === "i" || ch === "I") && !options.posix) flags.ignoreCase = true;
    else if ((ch === "m" || ch === "M") && !options.posix) flags.multiline = true;
    else if (ch === "g") {
      if (flags.global) reader.fail("multiple `g' options to `s' command");
      flags.global = true;
    } else if (ch === "p") {
      if (flags.print) reader.fail("multiple `p' options to `s' command");
      flags.print = true;
    } else if (isDigit(ch)) {
      if (numbered) reader.fail("multiple number options to `s' command");
      flags.nth = reader.readNumber(ch);
      if (flags.nth === 0) reader.fail("number option to `s' command may not be zero");
      numbered = true;
    } else if (ch === "w") {
      if (options.sandbox) reader.fail(SANDBOX);
      flags.output = addOutput();
      return flags;
    } else if (ch === "e" && !options.posix) {
      flags.execute = true;
    } else if (ch !== "\r" || reader.read() !== "\n") {
      reader.fail("unknown option to `s'");
    } else {
      return flags;
    }
  }
}
