/** The program that tests run as a command. */

/**
 * The variable with the path of a bundle of the command. `deno task test` makes one and sets it:
 * users install a bundle, and it starts in half the time. A single test file without it uses the
 * source.
 */
export const PROGRAM_VARIABLE = "LLMCMD_TEST_PROGRAM";

/** The path of the program, for `deno run`. */
export const PROGRAM = Deno.env.get(PROGRAM_VARIABLE) ??
  new URL("../cli.ts", import.meta.url).pathname;

// With coverage, child processes would write data about the bundle, which says nothing of the
// source.
if (Deno.env.has(PROGRAM_VARIABLE)) Deno.env.delete("DENO_COVERAGE_DIR");
