/**
 * Prints the reaction of the command to faults of an endpoint, and the time of each: `deno task
 * bench:faults`. The test `tests/faults_test.ts` checks the values.
 */
import faults from "../scenarios/faults.json" with { type: "json" };
import { Bench } from "../tests/_cli.ts";
import { FAULTS } from "../tests/_faults.ts";
import { figure, machine, markdownTable } from "./_report.ts";

await using bench = await Bench.open(faults.scenarios);
const rows: string[][] = [];
for (const { trigger, timeout } of FAULTS) {
  bench.requests();
  const begin = performance.now();
  const { code, stderr } = await bench.sh(`llmcmd '${trigger}'`, {
    env: { LLMCMD_TIMEOUT: timeout },
  });
  const seconds = (performance.now() - begin) / 1000;
  rows.push([
    trigger.replace("fault ", ""),
    String(code),
    String(bench.requests()),
    figure(seconds),
    stderr.trim().replace(/^llmcmd: /, "").replace(bench.address, "HOST"),
  ]);
}
console.info(`${machine()}\n`);
console.info(markdownTable(["fault", "exit", "requests", "seconds", "message"], rows));
