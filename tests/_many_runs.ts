/**
 * Runs the command many times in one process, which is much faster than a process for each: with
 * the arguments and variables of each line of JSON on the command line's file. Behind the output of
 * each run it writes a mark, on standard output with the exit status.
 */
import { main } from "../cli.ts";

/** Ends the output of a run. */
export const MARK = "\x1e";

/** One run. */
export interface Run {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

if (import.meta.main) {
  const runs: Run[] = JSON.parse(await Deno.readTextFile(Deno.args[0] ?? ""));
  const encoder = new TextEncoder();
  for (const { args, env } of runs) {
    for (const [name, value] of Object.entries(env)) Deno.env.set(name, value);
    const code = await main(args, Deno.stdout);
    for (const name of Object.keys(env)) Deno.env.delete(name);
    Deno.stdout.writeSync(encoder.encode(`${MARK}${code}${MARK}`));
    Deno.stderr.writeSync(encoder.encode(MARK));
  }
}
