/**
 * GNU grep's answers to Perl's patterns, and ours.
 *
 * @module
 */

import { gnuAnswers } from "../../../tests/gnu/answers.ts";
import { shownData } from "../../../tests/gnu/case.ts";
import { joined, latin1 } from "../_testing.ts";
import { nextSymbol, type PerlOptions, type Regex } from "../mod.ts";

/** The output of `grep -oP` for a line, made with our engine. */
export function onlyMatching(regex: Regex, line: Uint8Array): string {
  let out = "";
  for (let at = 0; at <= line.length;) {
    const match = regex.exec(line, 0, line.length, at);
    if (match === null) break;
    const [from, to] = [match[0] as number, match[1] as number];
    if (to > from) out += `${latin1(line.subarray(from, to))}\n`;
    at = to > from ? to : to < line.length ? nextSymbol(line, to, line.length) : to + 1;
  }
  return out;
}

/** The recorded output of `grep -oP`, errors included; `undefined` while cases are collected. */
export function grepOutputs(
  cases: readonly { pattern: string; options: PerlOptions; lines: readonly Uint8Array[] }[],
): string[] | undefined {
  const asked = cases.map(({ pattern, options, lines }) => {
    const flags = (options.ignoreCase === true ? "i" : "") +
      (options.whole === "line" ? "x" : options.whole === "word" ? "w" : "");
    return { args: [`-aoP${flags}`, "-e", pattern], stdin: joined(lines), seekable: true };
  });
  return gnuAnswers("grep", asked)?.map(({ stdout, stderr }) =>
    shownData(stdout) + shownData(stderr)
  );
}
