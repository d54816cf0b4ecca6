/**
 * A race of renames against the FS proxy: `deno task bench:race [SECONDS]`. While a program
 * requests files in an allowed folder, another keeps exchanging the folder for a link that leads
 * out. The proxy runs once with all permissions, where nothing outside may be reached, and with
 * those to read and write, where the system does not tell the proxy which file it has opened; see
 * THREAT_MODEL.md.
 */
import { figure, machine, markdownTable } from "./_report.ts";
import { race } from "./_race.ts";

const seconds = Number(Deno.args[0] ?? 60);
const WAYS: Readonly<Record<string, (folder: string) => readonly string[]>> = {
  "--allow-all": () => ["--allow-all"],
  "--allow-read --allow-write": () => ["--allow-read", "--allow-write", "--allow-env"],
  "the same, of the folder": (folder) => [
    ...[`--allow-read=${folder}/in`, `--allow-write=${folder}/in`, "--allow-env"],
  ],
};

const load = () => Deno.loadavg().map(figure).join(" ");
const before = load();
let failed = false;
for (const [name, flags] of Object.entries(WAYS)) {
  const { swaps, counts } = await race(seconds, flags);
  const rows = Object.entries(counts).map(([what, { attempts, done, escapes }]) => [
    ...[what, attempts, done, escapes].map(String),
  ]);
  const sum = (of: "attempts" | "done" | "escapes") =>
    Object.values(counts).reduce((total, count) => total + count[of], 0);
  rows.push(["all", ...[sum("attempts"), sum("done"), sum("escapes")].map(String)]);
  console.info(`${name}: ${seconds} s, ${swaps} exchanges\n`);
  console.info(`${markdownTable(["what", "attempts", "done", "outside"], rows)}\n`);
  if (name === "--allow-all" && sum("escapes") > 0) failed = true;
}
console.info(`${machine()}; load ${before} before, ${load()} after`);
if (failed) Deno.exit(1);
