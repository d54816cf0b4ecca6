import { InvalidArgument, matchChoice, parseNumber, toCount, UINTMAX } from "../../core/mod.ts";
import { type ParsedArgument, UsageError } from "../../../command_line/mod.ts";
import { quote, quoteAlways, utf8 } from "../../text/mod.ts";
import {
  checkOrdering,
  incompatible,
  isPlain,
  type Key,
  ORDERING_LETTERS,
  parseKey,
  plainOrdering,
  setOrdering,
  wholeLine,
} from "./keys.ts";
import type { SortOption } from "./command.ts";

/** Settings from a command line of `sort`. */
export interface SortSettings {
  readonly files: readonly string[];
  /** The keys; empty if whole lines are compared byte by byte. */
  readonly keys: readonly Key[];
  /** True to reverse the comparison of whole lines, the last resort. */
  readonly reverse: boolean;
  readonly stable: boolean;
  readonly unique: boolean;
  readonly merge: boolean;
  readonly check: "" | "c" | "C";
  readonly output: string | undefined;
  /** The byte that ends lines, and the one between fields (`undefined`: blanks). */
  readonly separator: number;
  readonly tab: number | undefined;
  /** Memory for lines in bytes, if given. */
  readonly memory: number | undefined;
  /** Most inputs merged at once. */
  readonly batch: number;
  readonly files0From: string | undefined;
}

const WORDS: Readonly<Record<string, string>> = {
  "general-numeric": "g",
  "human-numeric": "h",
  month: "M",
  numeric: "n",
  random: "R",
  version: "V",
};

/** Default number of sources merged at once. */
const BATCH = 64;

/** Reads the settings from a parsed command line. */
export function readSortSettings(items: Iterable<ParsedArgument<SortOption>>): SortSettings {
  const files: string[] = [];
  const keys: Key[] = [];
  const all = plainOrdering();
  const given = new Set<SortOption>();
  let check: SortSettings["check"] = "";
  let output: string | undefined;
  let tab: number | undefined;
  let memory: number | undefined;
  let batch = BATCH;
  let files0From: string | undefined;
  const setCheck = (how: "c" | "C"): void => {
    if (check !== "" && check !== how) throw incompatible("cC");
    check = how;
  };
  for (const item of items) {
    if (item.kind === "operand") {
      files.push(item.value);
      continue;
    }
    given.add(item.name);
    const { name, value, as } = item;
    if (ORDERING_LETTERS.includes(name)) setOrdering(name, all, "both");
    else if (name === "sort") {
      const word = matchChoice(value, "--sort", Object.keys(WORDS).map((each) => [each]));
      setOrdering(WORDS[word] ?? "", all, "both");
    } else if (name === "check") setCheck("c");
    else if (name === "checkQuietly") setCheck("C");
    else if (name === "checkHow") {
      const how = item.hasValue
        ? matchChoice(value, "--check", [["quiet", "silent"], ["diagnose-first"]])
        : "diagnose-first";
      setCheck(how === "quiet" ? "C" : "c");
    } else if (name === "output") {
      if (output !== undefined && output !== value) {
        throw new InvalidArgument("multiple output files specified");
      }
      output = value;
    } else if (name === "key") keys.push(parseKey(value));
    else if (name === "tab") tab = readTab(value, tab);
    else if (name === "memory") memory = readMemory(value, as);
    else if (name === "batch") batch = readBatch(value);
    else if (name === "parallel") readPositive(value, "--parallel", "number in parallel");
    else if (name === "files0From") files0From = value;
  }
  if (files0From !== undefined && files[0] !== undefined) {
    throw new UsageError(
      `extra operand ${quoteAlways(files[0])}\n` +
        "file operands cannot be combined with --files0-from",
    );
  }
  for (const [i, key] of keys.entries()) {
    if (!isPlain(key) || key.reverse) continue;
    const { startField, startByte, endField, endByte } = key;
    keys[i] = { ...all, startField, startByte, endField, endByte };
  }
  if (keys.length === 0 && !isPlain(all)) keys.push(wholeLine(all));
  for (const key of keys) checkOrdering(key);
  if (check !== "") {
    if (files.length > 1) {
      throw extraOperand(files[1] ?? "", check);
    }
    if (output !== undefined) throw incompatible(`${check}o`);
  }
  return {
    files,
    keys,
    reverse: all.reverse,
    stable: given.has("stable"),
    unique: given.has("unique"),
    merge: given.has("merge"),
    check,
    output,
    separator: given.has("zero") ? 0 : 10,
    tab,
    memory,
    batch,
    files0From,
  };
}

/** Returns the error for a second file, as only one can be checked. */
export function extraOperand(name: string, check: "c" | "C"): InvalidArgument {
  return new InvalidArgument(`extra operand ${quoteAlways(name)} not allowed with -${check}`);
}

function readTab(text: string, before: number | undefined): number {
  const [first, second] = utf8(text);
  if (first === undefined) throw new InvalidArgument("empty tab");
  if (second !== undefined && text !== "\\0") {
    throw new InvalidArgument(`multi-character tab ${quote(text)}`);
  }
  const tab = second === undefined ? first : 0;
  if (before !== undefined && before !== tab) throw new InvalidArgument("incompatible tabs");
  return tab;
}

/**
 * Returns the error for a bad number, which it quotes. `option` is spelled as on the command line,
 * `-S` or `--buffer-size`.
 */
function badNumber(problem: string, option: string, text: string): InvalidArgument {
  if (problem === "overflow") {
    return new InvalidArgument(`${option} argument '${text}' too large`);
  }
  const what = problem === "invalid" ? "invalid" : "invalid suffix in";
  return new InvalidArgument(`${what} ${option} argument '${text}'`);
}

/** The memory of which `-S 10%` is a tenth, in bytes. */
const MEMORY = 1024n ** 3n;

function readMemory(text: string, option: string): number {
  const [, digits, unit] = /^[ \t\n\v\f\r]*\+?(\d+)([b%]?)$/.exec(text) ?? [];
  // Without a unit, it is in KiB.
  const parsed = parseNumber(digits ?? text, digits === undefined ? "EgGkKmMPtTYZ" : "");
  if (!parsed.ok) {
    // It is both too large and has a suffix of sort's own.
    const suffix = digits !== undefined && unit !== "";
    throw badNumber(suffix ? "invalid suffix" : parsed.problem, option, text);
  }
  let { value } = parsed;
  if (unit === "%") value = value * MEMORY / 100n;
  else if (unit === "") value *= 1024n;
  if (value > UINTMAX) throw badNumber("overflow", option, text);
  return toCount(value);
}

function readPositive(text: string, option: string, what: string): number {
  const parsed = parseNumber(text, "");
  if (!parsed.ok && parsed.problem !== "overflow") throw badNumber(parsed.problem, option, text);
  if (parsed.ok && parsed.value === 0n) throw new InvalidArgument(`${what} must be nonzero`);
  return parsed.ok ? toCount(parsed.value) : Infinity;
}

function readBatch(text: string): number {
  const parsed = parseNumber(text, "");
  if (!parsed.ok && parsed.problem !== "overflow") {
    throw badNumber(parsed.problem, "--batch-size", text);
  }
  const value = parsed.ok ? toCount(parsed.value) : Infinity;
  if (value >= 2) return Math.min(value, 1024);
  throw new InvalidArgument(
    `invalid --batch-size argument ${quote(text)}\n` +
      `sort: minimum --batch-size argument is ${quote("2")}`,
  );
}
