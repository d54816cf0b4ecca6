/**
 * Bundles the command for the tests that start it, runs all tests, and lists at the end what was
 * skipped because something optional is missing: how many tests, the reason, and the command that
 * would install it. Arguments go on to `deno test`. Run by `deno task test` and `deno task test:coverage`.
 */
import { explain, type Skipped, SKIPPED_LIST } from "../tests/_optional.ts";
import { PROGRAM_VARIABLE } from "../tests/_program.ts";
import { bundle } from "./bundle.ts";

/** Types are the matter of `deno task check`: here they would take a quarter of the time. */
const FLAGS = ["--quiet", "--doc", "--parallel", "--no-check", "--no-prompt", "--allow-all"];

/** Test files at a time: many tests wait for processes, and one more fills the gaps. */
const JOBS = String(navigator.hardwareConcurrency + 1);

/** Signals that end a run: they are for the tests, whose end this program waits for. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** The list of skipped tests as it is printed; empty where all ran. */
export function skippedReport(lines: string): string {
  const skipped: Skipped[] = lines.split("\n").filter((line) => line !== "")
    .map((line) => JSON.parse(line));
  if (skipped.length === 0) return "";
  const counts = new Map<string, number>();
  for (const it of skipped) counts.set(explain(it), (counts.get(explain(it)) ?? 0) + 1);
  const rows = [...counts].sort(([, a], [, b]) => b - a)
    .map(([reason, count]) => `${String(count).padStart(5)}  ${reason}`);
  const packages = new Set(skipped.flatMap((it) => it.package ?? []));
  const all = packages.size < 2
    ? []
    : [`All of that: apt-get install ${[...packages].sort().join(" ")}`];
  const tests = skipped.length === 1
    ? "1 test or step was"
    : `${skipped.length} tests and steps were`;
  return [`${tests} skipped:`, ...rows, ...all].join("\n");
}

/** Runs `deno test`; gives its exit status. */
export async function runTests(args: readonly string[]): Promise<number> {
  const folder = await Deno.makeTempDir({ prefix: "llmcmd-tests-" });
  const list = `${folder}/skipped`;
  try {
    await Deno.writeTextFile(list, "");
    // A run of tests within one, as those of this file are, has it already.
    const program = Deno.env.get(PROGRAM_VARIABLE) ?? await bundle("cli.ts", `${folder}/llmcmd`);
    const child = new Deno.Command(Deno.execPath(), {
      args: ["test", ...FLAGS, ...args],
      env: {
        DENO_JOBS: Deno.env.get("DENO_JOBS") ?? JOBS,
        [SKIPPED_LIST]: list,
        [PROGRAM_VARIABLE]: program,
      },
    }).spawn();
    const pass = SIGNALS.map((signal) => ({
      signal,
      listener: () => {
        try {
          child.kill(signal);
        } catch {
          // It has ended, as a terminal sends the signal to both.
        }
      },
    }));
    for (const { signal, listener } of pass) Deno.addSignalListener(signal, listener);
    const { code } = await child.status;
    for (const { signal, listener } of pass) Deno.removeSignalListener(signal, listener);
    const report = skippedReport(await Deno.readTextFile(list));
    if (report !== "") console.info(report);
    return code;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

if (import.meta.main) Deno.exit(await runTests(Deno.args));
