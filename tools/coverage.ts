/**
 * Runs all tests and checks the coverage thresholds of deno.json. Arguments are those of
 * `tools/run_tests.ts`; a run of some paths only misses the thresholds. Used by `deno task ok` and
 * `deno task test:coverage`.
 */
import { makeManyFilesFolder } from "./many_files_folder.ts";
import { runTests } from "./run_tests.ts";

/** Tests, their helpers, and files outside of the program. */
const EXCLUDED = String.raw`(_test|/_testing|_bench)\.ts$|/(tests|tools|bench|vendor)/`;

/** Runs tests with coverage and prints the table; resolves to the exit status. */
export async function testWithCoverage(args: readonly string[]): Promise<number> {
  const folder = await makeManyFilesFolder("llmcmd-coverage-");
  try {
    const flags = [`--coverage=${folder}/data`, "--coverage-raw-data-only"];
    const status = await runTests([...flags, ...args]);
    if (status !== 0) return status;
    const coverage = new Deno.Command(Deno.execPath(), {
      args: ["coverage", `--exclude=${EXCLUDED}`, `${folder}/data`],
    });
    return (await coverage.spawn().status).code;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

if (import.meta.main) Deno.exit(await testWithCoverage(["--all", ...Deno.args]));
