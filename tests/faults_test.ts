/**
 * The whole command against an endpoint that fails: exit status, message, requests, and no
 * remaining files.
 */
import assert from "node:assert/strict";
import faults from "../scenarios/faults.json" with { type: "json" };
import { Bench } from "./_cli.ts";
import { type FaultCase, FAULTS } from "./_faults.ts";

/** Runs the command against one fault, in a temporary folder. */
async function meet(fault: FaultCase) {
  await using bench = await Bench.open(faults.scenarios);
  const env = { LLMCMD_TIMEOUT: fault.timeout };
  const outcome = await bench.sh(`llmcmd -o out '${fault.trigger}'`, { env });
  const names = bench.names();
  const out = names.includes("out") ? await bench.read("out") : undefined;
  return { fault, ...outcome, requests: bench.requests(), names, out, key: bench.key };
}

Deno.test("llmcmd ends clearly, whatever the endpoint does", async (t) => {
  // These run at the same time, as most of them wait for a retry; those with a short time limit do
  // not.
  const hurried = FAULTS.filter(({ code }) => code === 6);
  const met = [
    ...await Promise.all(FAULTS.filter((fault) => !hurried.includes(fault)).map(meet)),
    ...await Promise.all(hurried.map(meet)),
  ];
  assert.equal(met.length, FAULTS.length);
  for (const { fault, code, stdout, stderr, requests, names, out, key } of met) {
    await t.step(fault.trigger, () => {
      assert.equal(code, fault.code, stderr);
      if (fault.message === undefined) assert.equal(stderr, "");
      else assert.match(stderr, fault.message);
      assert.ok(stderr.split("\n").length <= 2, `more than one line: ${stderr}`);
      assert.ok(!stderr.includes(key), stderr);
      assert.equal(stdout, "");
      assert.equal(requests, fault.requests);
      // A run that failed leaves no output, and no temporary file.
      assert.deepEqual(names, fault.code === 0 ? ["out"] : []);
      if (fault.code === 0) assert.equal(out, fault.stdout);
    });
  }
});
