/** The report of a test run. */
import { explain, type Skipped } from "../../tests/_optional.ts";

/** The closing line of `deno test` in numbers. */
export interface Counts {
  passed: number;
  steps: number;
  failed: number;
  ignored: number;
  ignoredSteps: number;
  /** Tests that a filter left out. */
  filtered: number;
}

/** The counts of no test. */
export const NO_TESTS: Counts = {
  passed: 0,
  steps: 0,
  failed: 0,
  ignored: 0,
  ignoredSteps: 0,
  filtered: 0,
};

// deno-fmt-ignore
const CLOSING =
  /^(?:ok|FAILED) \| (\d+) passed(?: \((\d+) steps?\))? \| (\d+) failed(?: \(\d+ steps?\))?(?: \| (\d+) ignored(?: \((\d+) steps?\))?)?(?: \| (\d+) filtered out)?/m;

// deno-lint-ignore no-control-regex -- colours of a terminal
const COLOURS = /\x1b\[[0-9;]*m/g;

/** Reads the counts in the output of a run; a failed run without counts has one failure. */
export function countsOf(output: string, code: number): Counts {
  const found = CLOSING.exec(output.replaceAll(COLOURS, ""));
  const [passed = 0, steps = 0, failed = 0, ignored = 0, ignoredSteps = 0, filtered = 0] =
    (found ?? []).slice(1)
      .map((text) => Number(text ?? 0));
  return {
    ...{ passed, steps, ignored, ignoredSteps, filtered },
    failed: code !== 0 && failed === 0 ? 1 : failed,
  };
}

/** Adds counts to a sum. */
export function add(sum: Counts, counts: Counts): void {
  sum.passed += counts.passed;
  sum.steps += counts.steps;
  sum.failed += counts.failed;
  sum.ignored += counts.ignored;
  sum.ignoredSteps += counts.ignoredSteps;
  sum.filtered += counts.filtered;
}

/** A line with counts and the time since `begin`, in the form of `deno test`. */
export function summary(name: string, counts: Counts, begin: number): string {
  const inSteps = (steps: number) => steps === 0 ? "" : ` (${steps} step${steps === 1 ? "" : "s"})`;
  const { passed, steps, failed, ignored, ignoredSteps, filtered } = counts;
  const left = filtered === 0 ? "" : ` | ${filtered} filtered out`;
  const skipped = ignored === 0 ? "" : ` | ${ignored} ignored${inSteps(ignoredSteps)}`;
  const seconds = Math.round((Date.now() - begin) / 1000);
  return `${name} ${passed} passed${
    inSteps(steps)
  } | ${failed} failed${skipped}${left} (${seconds}s)`;
}

/** The lines of a test that has printed something and failed. */
const PRINTED = /^(.+) \.\.\.\n[^]*?\n\1 \.\.\. FAILED.*$/gm;

/**
 * The failures in the output of a failed run, after what the failed tests printed; all of its output
 * if it crashed.
 */
export function failureOf(name: string, output: string): string {
  const plain = output.replaceAll(COLOURS, "");
  const [, tests, errors] = /^([^]*)\n ERRORS \n+([^]*)\n FAILURES \n/.exec(plain) ?? [];
  if (tests === undefined || errors === undefined) return `== ${name}\n${plain.trimEnd()}\n`;
  const printed = tests.match(PRINTED) ?? [];
  return `== ${name}\n${[...printed, errors.trimEnd()].join("\n\n")}\n`;
}

/** The printed list of skipped tests; empty if all ran. */
export function skippedReport(lines: string): string {
  const skipped: Skipped[] = lines.split("\n").filter((line) => line !== "")
    .map((line) => JSON.parse(line));
  if (skipped.length === 0) return "";
  const counts = new Map<string, number>();
  for (const it of skipped) counts.set(explain(it), (counts.get(explain(it)) ?? 0) + 1);
  const rows = [...counts].sort(([, a], [, b]) => b - a)
    .map(([reason, count]) => `${String(count).padStart(5)}  ${reason}`);
  const packages = new Set(skipped.flatMap((it) => it.package ?? []));
  const all = packages.size < 2
    ? []
    : [`All of that: apt-get install ${[...packages].sort().join(" ")}`];
  const tests = skipped.length === 1
    ? "1 test or step was"
    : `${skipped.length} tests and steps were`;
  return [`${tests} skipped:`, ...rows, ...all].join("\n");
}
