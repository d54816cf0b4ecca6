// The process that runs our side. It is separate so that an endless loop can be stopped.
import type { FuzzCase, FuzzOutcome } from "./case.ts";
import { runOurCase } from "./ours.ts";
import { decodeCase, encodeOutcome, lines } from "./wire.ts";

for await (const line of lines(Deno.stdin.readable)) {
  const { test, seed }: { test: FuzzCase; seed: number } = decodeCase(line);
  let outcome: FuzzOutcome;
  try {
    outcome = await runOurCase(test, seed);
  } catch (error) {
    outcome = { stdout: new Uint8Array(0), stderr: `thrown: ${error}\n`, status: -1, files: {} };
  }
  await writeAll(new TextEncoder().encode(`${encodeOutcome(outcome)}\n`));
}

async function writeAll(data: Uint8Array): Promise<void> {
  for (let at = 0; at < data.length;) at += await Deno.stdout.write(data.subarray(at));
}
