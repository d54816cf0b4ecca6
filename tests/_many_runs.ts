/**
 * Runs the command many times in one process, each with its own folder, arguments and variables,
 * from the file that the command line names. After the output of each run it writes a mark, on
 * standard output with the exit status. Started by `runAll` in `_runs.ts`.
 */
import { main } from "../cli.ts";
import { MARK, type Run } from "./_runs.ts";

const runs: Run[] = JSON.parse(await Deno.readTextFile(Deno.args[0] ?? ""));
const encoder = new TextEncoder();
const folder = Deno.cwd();
// A run closes standard input after reading it, but the next run must find its end again.
Deno.stdin.close = () => {};
for (const { args, env, cwd } of runs) {
  const before = new Map(Object.keys(env).map((name) => [name, Deno.env.get(name)]));
  for (const [name, value] of Object.entries(env)) Deno.env.set(name, value);
  Deno.chdir(cwd ?? folder);
  const code = await main(args, Deno.stdout);
  for (const [name, value] of before) {
    if (value === undefined) Deno.env.delete(name);
    else Deno.env.set(name, value);
  }
  Deno.stdout.writeSync(encoder.encode(`${MARK}${code}${MARK}`));
  Deno.stderr.writeSync(encoder.encode(MARK));
}
