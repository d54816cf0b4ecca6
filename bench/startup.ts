/**
 * Prints the cost of a whole process, from source and bundled, as ratios: `llmcmd --help` against
 * an empty script, and one pipe and `exit` on the local mock against a bare script that makes the
 * same two HTTP calls. Run by `deno task bench:startup [runs]`.
 */
import { bundle, lazyEntry } from "../tools/bundle.ts";
import { denoRun, environment, servePipes } from "./_mock.ts";
import { figure, machine, markdownTable, median } from "./_report.ts";

const runs = Number(Deno.args[0] ?? 20);
const root = new URL("../", import.meta.url).pathname;
const folder = await Deno.makeTempDir({ prefix: "llmcmd-startup-" });
const input = `${folder}/input.txt`;
await Deno.writeTextFile(input, "one\ntwo\n");

const endpoint = servePipes({ Copy: {} });
const env = environment(endpoint, folder);
const deno = (file: string, ...args: string[]) => [...denoRun(endpoint, folder, file), ...args];
const job = ["Copy", input];

async function time(args: string[]): Promise<number> {
  const begin = performance.now();
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args,
    env,
    cwd: folder,
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).output();
  if (code !== 0) {
    throw new Error(`Status ${code}: ${args.join(" ")}\n${new TextDecoder().decode(stderr)}`);
  }
  return performance.now() - begin;
}

/** Median milliseconds of both and of their ratio, run in turn. */
async function compare(a: string[], b: string[]): Promise<[number, number, number]> {
  const times: [number, number][] = [];
  for (let run = -2; run < runs; run++) {
    const pair: [number, number] = [await time(a), await time(b)];
    if (run >= 0) times.push(pair);
  }
  return [
    median(times.map(([first]) => first)),
    median(times.map(([, second]) => second)),
    median(times.map(([first, second]) => first / second)),
  ];
}

try {
  const bundled = await bundle(`${root}cli.ts`, `${folder}/llmcmd`);
  const lazy = lazyEntry(bundled);
  const bare = deno(`${root}bench/_bare_client.ts`, ...job);
  const empty = deno(`${root}bench/_empty.ts`);
  const rows: [string, string[], string[]][] = [
    ["--help, source", deno(`${root}cli.ts`, "--help"), empty],
    ["--help, bundled", deno(bundled, "--help"), empty],
    ["--help, bundled, lazy", deno(lazy, "--help"), empty],
    ["pipe and exit, source", deno(`${root}cli.ts`, ...job), bare],
    ["pipe and exit, bundled", deno(bundled, ...job), bare],
    ["pipe and exit, bundled, lazy", deno(lazy, ...job), bare],
  ];
  const lines: string[][] = [];
  for (const [name, ours, base] of rows) {
    const [first, second, ratio] = await compare(ours, base);
    lines.push([name, figure(first), figure(second), figure(ratio)]);
  }
  console.info(`Whole process, ms, medians of ${runs} pairs. ${machine()}\n`);
  console.info(markdownTable(["run", "llmcmd", "bare script", "ratio"], lines));
} finally {
  await endpoint[Symbol.asyncDispose]();
  await Deno.remove(folder, { recursive: true });
}
