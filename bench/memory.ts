/**
 * Peak memory of the whole command on a large file: `deno task bench:memory [GiB]`. Needs GNU time.
 */
import { denoRun, environment, servePipes } from "./_mock.ts";
import { figure, machine, markdownTable, sampleLog, timeShell } from "./_report.ts";

const JOBS = ["grep -v zzz", "cat | head", "wc", "sed s/INFO/info/ | grep -c info", "tail -n 3"];

const size = Math.round(Number(Deno.args[0] ?? 1) * 2 ** 30);
const folder = await Deno.makeTempDir({ prefix: "llmcmd-memory-" });
const input = `${folder}/input.log`;
const cli = new URL("../cli.ts", import.meta.url).pathname;
try {
  const part = sampleLog(2 ** 24);
  using file = await Deno.open(input, { write: true, create: true });
  for (let written = 0; written < size; written += part.length) {
    const block = part.subarray(0, Math.min(part.length, size - written));
    for (let done = 0; done < block.length;) done += await file.write(block.subarray(done));
  }
  await using endpoint = servePipes(Object.fromEntries(JOBS.map((job) => [`job ${job}!`, job])));
  const env = {
    ...environment(endpoint, folder),
    LLMCMD_MAX_INPUT_BYTES: String(2 * size),
    LLMCMD_MAX_OUTPUT_BYTES: String(2 * size),
  };
  const rows: string[][] = [];
  for (const job of JOBS) {
    const line = [Deno.execPath(), ...denoRun(endpoint, folder, cli), `job ${job}!`, input];
    const run = await timeShell(line.map((word) => `'${word}'`).join(" "), env);
    rows.push([job, figure(run.seconds), figure(run.peak), String(run.code)]);
  }
  console.info(`llmcmd on a file of ${figure(size / 2 ** 30)} GiB. ${machine()}\n`);
  console.info(markdownTable(["pipe(cmd, 3, 1)", "seconds", "peak MB", "status"], rows));
} finally {
  await Deno.remove(folder, { recursive: true });
}
