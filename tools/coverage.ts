/**
 * Runs all tests and holds the coverage thresholds of deno.json. Arguments go on to `deno test`; with
 * some, the thresholds of all are missed. Run by `deno task test:coverage`.
 */
import { makeManyFilesFolder } from "./many_files_folder.ts";
import { runTests } from "./run_tests.ts";

/** Tests, what they share, and what is not a part of the program. */
const EXCLUDED = String.raw`(_test|/_testing|_bench)\.ts$|/(tests|tools|bench|vendor)/`;

const folder = await makeManyFilesFolder("llmcmd-coverage-");
try {
  let status = await runTests([
    `--coverage=${folder}/data`,
    "--coverage-raw-data-only",
    ...Deno.args,
  ]);
  if (status === 0) {
    const coverage = new Deno.Command(Deno.execPath(), {
      args: ["coverage", `--exclude=${EXCLUDED}`, `${folder}/data`],
    });
    status = (await coverage.spawn().status).code;
  }
  Deno.exitCode = status;
} finally {
  await Deno.remove(folder, { recursive: true });
}
