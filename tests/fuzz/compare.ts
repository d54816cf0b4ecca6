import { Buffer } from "node:buffer";
import { type FuzzCase, type FuzzOutcome, latin1 } from "./case.ts";
import type { Aspect } from "./known.ts";

function same(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.length === b.length && Buffer.compare(a, b) === 0;
}

/**
 * Removes the folder before a program's name from a message, and the help that sed and xxd print
 * after a wrong option.
 */
function normalise(test: FuzzCase, stderr: string): string {
  const message = ["sed", "xxd"].includes(test.command)
    ? stderr.replace(/^Usage:[^]*/m, "Usage\n")
    : stderr;
  return message.replaceAll(new RegExp(`^\\S*/${test.command}:`, "gm"), `${test.command}:`);
}

/** The output of `diff` without file times, which ours does not print. */
function withoutTimes(test: FuzzCase, stdout: Uint8Array): Uint8Array {
  if (test.command !== "diff") return stdout;
  const time =
    // deno-lint-ignore no-control-regex
    /^((?:\x1b\[1m)?(?:---|\+\+\+|\*\*\*) [^\t\n]*)\t\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+ [+-]\d{4}((?:\x1b\[0m)?)$/gm;
  return Buffer.from(latin1(stdout).replace(time, "$1$2"), "latin1");
}

/** The aspects that differ; `undefined` if there is nothing to compare. */
export function differences(
  test: FuzzCase,
  ours: FuzzOutcome,
  gnu: FuzzOutcome,
): Aspect[] | undefined {
  // A crash of our process is a fault, whatever GNU's tool does.
  if (ours.stderr.startsWith("unexpected: ")) return ["hang"];
  if (gnu.endless === true) return undefined;
  if (ours.endless === true) return ["hang"];
  const found: Aspect[] = [];
  if (!same(ours.stdout, withoutTimes(test, gnu.stdout))) found.push("stdout");
  if (ours.status !== gnu.status) found.push("status");
  if (normalise(test, ours.stderr) !== normalise(test, gnu.stderr)) found.push("stderr");
  const all = [...Object.keys(ours.files), ...Object.keys(gnu.files)];
  const names = new Set(all.filter((name) => !name.includes("\ufffd")));
  if ([...names].some((name) => !same(ours.files[name], gnu.files[name]))) found.push("files");
  return found;
}

/** Both outcomes, from the first difference on. */
export function describe(test: FuzzCase, ours: FuzzOutcome, gnu: FuzzOutcome): string {
  const show = (outcome: FuzzOutcome): string => {
    const changed = Object.entries(outcome.files)
      .filter(([name, data]) => !same(data, test.files[name]))
      .map(([name, data]) => [name, latin1(data)]);
    const parts = [outcome.status, outcome.stderr, latin1(outcome.stdout), ...changed.sort()];
    return (outcome.endless === true ? "endless " : "") + JSON.stringify(parts);
  };
  const [a, b] = [show(ours), show(gnu)];
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  at = Math.max(0, at - 120);
  return `  ours ${a.slice(at, at + 300)}\n  GNU  ${b.slice(at, at + 300)}`;
}
