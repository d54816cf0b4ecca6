/**
 * Tests that need something that not every machine has. If it is missing, they are ignored and
 * reported here; `deno task test` lists them at its end.
 */
import { findProgram } from "../tools/find_program.ts";

/** Optional programs, each with its Debian package. */
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

/** Something that is missing: the reason, and the package that would install it. */
export interface Missing {
  /** A reason such as `tmux is not installed`. */
  readonly reason: string;
  /** The Debian package, if there is one. */
  readonly package?: string;
}

/** A test or step that was ignored, as it is listed for `tools/run_tests.ts`. */
export interface Skipped extends Missing {
  readonly test: string;
}

/** The variable with the path of the list, which has a line of JSON for each test. */
export const SKIPPED_LIST = "TEST_SKIPPED";

/** The variable that is set to leave out slow tests. */
export const QUICK = "TEST_QUICK";

const LEFT_OUT: Missing = { reason: "left out: run them with deno task test --all" };

/** Set if tests that take seconds or need a browser are left out. */
export const thorough: Missing | undefined = Deno.env.has(QUICK) ? LEFT_OUT : undefined;

/** Set if the system is not Linux. */
export const notLinux: Missing | undefined = Deno.build.os === "linux"
  ? undefined
  : { reason: "it takes Linux" };

/** The reason why a program is missing; `undefined` if it is on the `PATH`. */
export function missing(program: OptionalProgram): Missing | undefined {
  if (program === "chromium" && thorough !== undefined) return thorough;
  if (findProgram(program) !== undefined) return undefined;
  return { reason: `${program} is not installed`, package: PACKAGES[program] };
}

/**
 * Options of `Deno.test` or `t.step` for a test that needs something optional: its name, and true
 * to ignore it. Ignored tests are reported.
 *
 * @param needs Programs, or other things that the test found missing.
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

/** Adds a test to the list; prints it if there is no list. */
function report(skipped: Skipped): void {
  const list = Deno.env.get(SKIPPED_LIST);
  if (list === undefined) {
    console.info(`Skipped, ${explain(skipped)}: ${skipped.test}`);
    return;
  }
  // Test files run at the same time: appending a short line is atomic.
  Deno.writeTextFileSync(list, JSON.stringify(skipped) + "\n", { append: true });
}

/** The reason, and the command that would install the missing program. */
export function explain({ reason, package: name }: Missing): string {
  return name === undefined ? reason : `${reason} (apt-get install ${name})`;
}
