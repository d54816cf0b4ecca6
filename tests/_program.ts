/** The program that tests run as a command in a process of its own. */

/**
 * Variable with the path of a bundle of the command. `deno task test` makes one and sets it, as a
 * bundle is what users install, and starts in half the time; a test file that is run by itself
 * uses the source.
 */
export const PROGRAM_VARIABLE = "LLMCMD_TEST_PROGRAM";

/** Path of the program to give to `deno run`. */
export const PROGRAM = Deno.env.get(PROGRAM_VARIABLE) ??
  new URL("../cli.ts", import.meta.url).pathname;

// With coverage, a process that is started writes down what it covered of each of its files. Of a
// bundle, that tells nothing of the source.
if (Deno.env.has(PROGRAM_VARIABLE)) Deno.env.delete("DENO_COVERAGE_DIR");
