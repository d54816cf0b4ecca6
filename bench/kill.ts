/**
 * Counts processes that survive a kill, for each available design and each kind of process that
 * forks without pause (and the quiet kinds), while the machine is busy.
 *
 *     deno run -A bench/kill.ts [RUNS=20] [BUSY_LOOPS=4] [DESIGN_OR_KIND]
 *
 * A run with survivors that reported 0 is a lie; the exit status is then 1.
 */
import { type Escape, escape, FORKING, KINDS, load } from "../src/terminal/_escapes_test.ts";
import { availableDesigns } from "../src/terminal/_testing.ts";

const [runs = 20, loops = 4] = Deno.args.slice(0, 2).map(Number);
const only = Deno.args[2] ?? "";
let lies = 0;
console.log(
  `${runs} runs each, ${loops} busy loops on ${navigator.hardwareConcurrency} processors`,
);
console.log(
  "design     kind                                 started  left  unknown  lies  ms median/max",
);
await using _busy = load(loops);
for (const available of availableDesigns) {
  for (const [kind, start] of [...Object.entries(FORKING), ...Object.entries(KINDS)]) {
    if (!`${available.design} ${kind}`.includes(only)) continue;
    const seen: Escape[] = [];
    for (let run = 0; run < runs; run++) seen.push(await escape(available, start, "abort"));
    const count = (is: (it: Escape) => boolean) => seen.filter(is).length;
    const lied = count(({ after, reported }) => after.length > 0 && reported === 0);
    lies += lied;
    const times = seen.map(({ took }) => took).sort((a, b) => a - b);
    console.log([
      available.design.padEnd(10),
      kind.padEnd(40),
      String(count(({ before }) => before > 0)).padStart(3),
      String(count(({ after }) => after.length > 0)).padStart(5),
      String(count(({ reported }) => reported === "unknown")).padStart(8),
      String(lied).padStart(5),
      `${times[runs >> 1]?.toFixed(0)}/${times.at(-1)?.toFixed(0)}`.padStart(14),
    ].join(" "));
  }
}
if (lies > 0) Deno.exit(1);
