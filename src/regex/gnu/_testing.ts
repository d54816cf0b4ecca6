/**
 * Compares GNU's tools and our engine on the same patterns, for differential tests.
 *
 * @module
 */

import { gnuAnswers } from "../../../tests/gnu/answers.ts";
import { type GnuAnswer, type GnuCase, sameData, shownData } from "../../../tests/gnu/case.ts";
import { joined, latin1 } from "../_testing.ts";
import { compileRegex, nextSymbol, type Regex, RegexError, type RegexOptions } from "../mod.ts";

/** One pattern with some lines. */
export interface Case {
  readonly pattern: string;
  readonly options: RegexOptions;
  readonly lines: readonly Uint8Array[];
  /** True if glibc and gnulib read the pattern differently. */
  readonly odd?: boolean;
}

/** The arguments and the input of grep or sed. */
function toolCase(test: Case): GnuCase {
  const { syntax, ignoreCase, whole, dialect } = test.options;
  const extended = syntax === "extended" ? ["-E"] : syntax === "fixed" ? ["-F"] : [];
  const shared = { stdin: joined(test.lines), seekable: true };
  if (dialect === "sed") {
    const script = `s\x01${test.pattern}\x01${sedReplacement(test)}\x01g${ignoreCase ? "I" : ""}`;
    return { ...shared, args: [...extended, script] };
  }
  const flags = [
    ...(wholeLines(test) ? [] : ["-o"]),
    ...extended,
    ...(ignoreCase ? ["-i"] : []),
    ...(whole === "line" ? ["-x"] : whole === "word" ? ["-w"] : []),
  ];
  return { ...shared, args: ["-a", "-n", ...flags, "-e", test.pattern] };
}

function groupsOf(test: Case): number {
  const opened = test.options.syntax === "extended" ? /\(/g : /\\\(/g;
  return Math.min(9, test.pattern.match(opened)?.length ?? 0);
}

function sedReplacement(test: Case): string {
  let out = "<&";
  for (let i = 1; i <= groupsOf(test); i++) out += `|\\${i}`;
  return `${out}>`;
}

/** An answer that cannot be compared. */
export const skipped = "(skipped)";

/** The recorded answers of the tools, or `undefined` while cases are collected. */
function answersTo(cases: readonly Case[]): GnuAnswer[] | undefined {
  const found = new Map<Case, GnuAnswer>();
  for (const dialect of ["grep", "sed"]) {
    const some = cases.filter((test) => (test.options.dialect ?? "grep") === dialect);
    const answers = gnuAnswers(dialect, some.map(toolCase));
    if (answers === undefined) continue;
    for (const [i, answer] of answers.entries()) {
      const test = some[i];
      if (test !== undefined) found.set(test, answer);
    }
  }
  const all = cases.flatMap((test) => found.get(test) ?? []);
  return all.length === cases.length ? all : undefined;
}

/** The output of GNU's tool for each case, or `undefined` while cases are collected. */
export function gnuOutputs(cases: readonly Case[]): string[] | undefined {
  return answersTo(cases)?.map(({ stdout }) => shownData(stdout));
}

/** The patterns for which our engine's output differs; empty while cases are collected. */
export function differing(cases: readonly Case[]): string[] {
  const answers = answersTo(cases) ?? [];
  return answers.flatMap((answer, i) => {
    const test = cases[i];
    if (test === undefined) return [];
    const ours = Uint8Array.from(ourAnswer(test), (character) => character.charCodeAt(0));
    return sameData(ours, answer.stdout) ? [] : [test.pattern];
  });
}

/**
 * The error message of GNU's tool for each pattern, without the tool's name, the position and
 * warnings; `undefined` while cases are collected.
 */
export function gnuErrors(cases: readonly Case[]): string[] | undefined {
  return answersTo(cases)?.map(({ stderr }) =>
    new TextDecoder().decode(stderr).split("\n")
      .filter((line) => line !== "" && !line.includes("warning:")).join("\n")
      .replace(/^grep: |^sed: -e expression #1, char \d+: |^sed: /, "")
  );
}

/** The output of the tool for a case, made with our engine. */
export function ourAnswer(test: Case): string {
  let regex: Regex;
  try {
    regex = compileRegex(test.pattern, test.options);
  } catch (error) {
    if (error instanceof RegexError) return "";
    throw error;
  }
  const work = test.options.dialect === "sed"
    ? substitute
    : wholeLines(test)
    ? matching
    : onlyMatching;
  const answers = test.lines.map((line, i) => work(regex, line, i + 1, groupsOf(test)));
  return answers.includes(skipped) ? skipped : answers.join("");
}

/**
 * True if the case compares selected lines: GNU's -o is wrong after a line's first match with -w,
 * and for odd patterns it follows glibc where line selection follows gnulib.
 */
function wholeLines(test: Case): boolean {
  return test.options.whole === "word" || test.odd === true;
}

function matching(regex: Regex, line: Uint8Array, number: number): string {
  return regex.test(line, 0, line.length) ? `${number}:${latin1(line)}\n` : "";
}

function onlyMatching(regex: Regex, line: Uint8Array, number: number): string {
  let out = "";
  for (let at = 0; at <= line.length;) {
    const match = regex.exec(line, 0, line.length, at);
    if (match === null) break;
    const [from, to] = [match[0] as number, match[1] as number];
    if (to > from) out += `${number}:${latin1(line.subarray(from, to))}\n`;
    at = to > from ? to : to < line.length ? nextSymbol(line, to, line.length) : to + 1;
  }
  return out;
}

function substitute(regex: Regex, line: Uint8Array, _number: number, groups: number): string {
  let out = "";
  let at = 0;
  let last = -1;
  while (at <= line.length) {
    const match = regex.exec(line, 0, line.length, at);
    if (match === null) break;
    const [from, to] = [match[0] as number, match[1] as number];
    out += latin1(line.subarray(at, from));
    if (to > from || from !== last) {
      out += `<${latin1(line.subarray(from, to))}`;
      for (let i = 1; i <= groups; i++) {
        const start = match[2 * i] ?? -1;
        out += `|${start < 0 ? "" : latin1(line.subarray(start, match[2 * i + 1]))}`;
      }
      out += ">";
    }
    at = to;
    last = to;
    if (to === from) {
      // GNU sed 4.9 continues inside the character.
      if ((line[to] ?? 0) >= 0x80) return skipped;
      at = to < line.length ? nextSymbol(line, to, line.length) : to + 1;
      out += latin1(line.subarray(to, at));
    }
  }
  return `${out}${latin1(line.subarray(at))}\n`;
}
