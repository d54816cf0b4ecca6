/**
 * Tests that need something which not every machine has. Where it is missing, they are ignored, and
 * each is reported here, in one place: `deno task test` lists them at its end.
 */
import { findProgram } from "../tools/find_program.ts";

/** Optional programs, each with the Debian package that brings it. */
const PACKAGES = {
  awk: "mawk",
  bwrap: "bubblewrap",
  chromium: "chromium",
  git: "git",
  grep: "grep",
  groff: "groff",
  jq: "jq",
  node: "nodejs",
  perl: "perl",
  ps: "procps",
  python3: "python3",
  readlink: "coreutils",
  rev: "bsdextrautils",
  setpriv: "util-linux",
  tmux: "tmux",
} as const;

/** The name of an optional program. */
export type OptionalProgram = keyof typeof PACKAGES;

/** Something that is not there: why, and the command that would install it if there is one. */
export interface Missing {
  /** Such as `tmux is not installed`. */
  readonly reason: string;
  /** The Debian package that would bring it. */
  readonly package?: string;
}

/** A test or step that was ignored, as it is written to the list for `tools/run_tests.ts`. */
export interface Skipped extends Missing {
  readonly test: string;
}

/** The variable with the path of the list, a line of JSON for each test. */
export const SKIPPED_LIST = "TEST_SKIPPED";

/** The variable that is set where tests which take long are left out. */
export const QUICK = "TEST_QUICK";

const LEFT_OUT: Missing = { reason: "left out: run them with deno task test --all" };

/** What a test needs that takes seconds or a browser: a run of all tests. */
export const thorough: Missing | undefined = Deno.env.has(QUICK) ? LEFT_OUT : undefined;

/** What is missing where this is no Linux. */
export const notLinux: Missing | undefined = Deno.build.os === "linux"
  ? undefined
  : { reason: "it takes Linux" };

/** What is missing of a program: nothing where it is on the `PATH`. */
export function missing(program: OptionalProgram): Missing | undefined {
  if (program === "chromium" && thorough !== undefined) return thorough;
  if (findProgram(program) !== undefined) return undefined;
  return { reason: `${program} is not installed`, package: PACKAGES[program] };
}

/**
 * The name of a test or step that needs something optional, and whether to ignore it; to be spread
 * into the options of `Deno.test` or `t.step`. Whoever is ignored is reported.
 *
 * @param needs Programs, or what a look of the test's own found missing.
 */
export function optional(
  name: string,
  ...needs: readonly (OptionalProgram | Missing | undefined)[]
): { name: string; ignore: boolean } {
  const lacking = needs
    .map((need) => typeof need === "string" ? missing(need) : need)
    .find((it) => it !== undefined);
  if (lacking !== undefined) report({ test: name, ...lacking });
  return { name, ignore: lacking !== undefined };
}

/** Puts a test on the list; says it at once where nobody collects one. */
function report(skipped: Skipped): void {
  const list = Deno.env.get(SKIPPED_LIST);
  if (list === undefined) {
    console.info(`Skipped, ${explain(skipped)}: ${skipped.test}`);
    return;
  }
  // Test files run at the same time: a short line that is appended is written as a whole.
  Deno.writeTextFileSync(list, JSON.stringify(skipped) + "\n", { append: true });
}

/** The reason, and the command that would help. */
export function explain({ reason, package: name }: Missing): string {
  return name === undefined ? reason : `${reason} (apt-get install ${name})`;
}
