/**
 * The whole command against an endpoint that fails: exit status, message, requests, and that
 * nothing is left behind.
 */
import assert from "node:assert/strict";
import faults from "../scenarios/faults.json" with { type: "json" };
import { Bench } from "./_cli.ts";
import { FAULTS } from "./_faults.ts";

Deno.test("llmcmd ends clearly, whatever the endpoint does", async (t) => {
  await using bench = await Bench.open(faults.scenarios);
  for (const fault of FAULTS) {
    await t.step(fault.trigger, async () => {
      bench.requests();
      const env = { LLMCMD_TIMEOUT: fault.timeout };
      const { code, stdout, stderr } = await bench.sh(`llmcmd -o out '${fault.trigger}'`, { env });
      assert.equal(code, fault.code, stderr);
      if (fault.message === undefined) assert.equal(stderr, "");
      else assert.match(stderr, fault.message);
      assert.ok(stderr.split("\n").length <= 2, `more than one line: ${stderr}`);
      assert.ok(!stderr.includes(bench.key), stderr);
      assert.equal(stdout, "");
      assert.equal(bench.requests(), fault.requests);
      // A run that failed leaves no output, and no temporary file.
      assert.deepEqual(bench.names(), fault.code === 0 ? ["out"] : []);
      if (fault.code === 0) {
        assert.equal(await bench.read("out"), fault.stdout);
        await Deno.remove(`${bench.folder}/out`);
      }
    });
  }
});
