/**
 * Speed of the regex room's line selection against GNU grep, on one generated 64 MB log.
 *
 * `deno run --allow-read --allow-write --allow-run=grep --allow-env bench/regex.ts [megabytes]`
 *
 * Ours is in process, over blocks of 1 MiB; grep is the whole process in C.UTF-8 with `-c`, so
 * that neither writes what it found. Rates are only good as ratios inside one table.
 *
 * @module
 */

import { compileRegex, type RegexOptions } from "../src/regex/mod.ts";

const blockSize = 1 << 20;
const rounds = 3;

/** A web server's log, the same for the same size. */
export function makeLog(size: number): Uint8Array<ArrayBuffer> {
  let state = 1;
  const random = (below: number) => {
    state = Math.imul(state ^ state >>> 15, 0x2c1b3c6d) + 0x9e3779b9 | 0;
    return (state >>> 0) % below;
  };
  const paths = ["/index.html", "/api/v1/users", "/static/app.js", "/login", "/api/v1/orders"];
  const agents = ["Mozilla/5.0 (X11; Linux x86_64)", "curl/7.88.1", "Go-http-client/2.0"];
  const encoder = new TextEncoder();
  const log = new Uint8Array(size);
  let at = 0;
  for (let i = 0; at < size; i++) {
    const status = random(50) === 0 ? 500 : random(10) === 0 ? 404 : 200;
    const level = status === 500 ? "ERROR" : random(20) === 0 ? "WARN" : "INFO";
    const line = `10.${random(256)}.${random(256)}.${random(256)} - - ` +
      `[27/Nov/2026:${10 + random(14)}:${10 + random(50)}:${10 + random(50)} +0000] ${level} ` +
      `"GET ${paths[random(5)]}?id=${random(1_000_000)} HTTP/1.1" ${status} ${random(50_000)} ` +
      `"${agents[random(3)]}"${random(400) === 0 ? " user=J\u00fcrgen" : ""}\n`;
    const bytes = encoder.encode(line);
    const kept = bytes.subarray(0, size - at);
    log.set(kept, at);
    at += kept.length;
  }
  log[size - 1] = 10;
  return log;
}

interface Row {
  readonly name: string;
  readonly pattern: string;
  readonly flags: readonly string[];
  readonly options: RegexOptions;
  readonly invert?: boolean;
}

const basic: RegexOptions = { syntax: "basic" };
const extended: RegexOptions = { syntax: "extended" };

const table: readonly Row[] = [
  { name: "literal, rare", pattern: "users?id=77777", flags: [], options: basic },
  { name: "literal, none", pattern: "zebra-crossing", flags: [], options: basic },
  { name: "literal, 2 %", pattern: "ERROR", flags: [], options: basic },
  { name: "literal, 75 %", pattern: "INFO", flags: [], options: basic },
  {
    name: "-F, three words",
    pattern: "ERROR\nlogin\nzebra",
    flags: ["-F"],
    options: { syntax: "fixed" },
  },
  { name: "-i literal", pattern: "error", flags: ["-i"], options: { ...basic, ignoreCase: true } },
  { name: "-w literal", pattern: "login", flags: ["-w"], options: { ...basic, whole: "word" } },
  { name: "-v literal", pattern: "ERROR", flags: ["-v"], options: basic, invert: true },
  { name: "-v literal, most", pattern: "HTTP", flags: ["-v"], options: basic, invert: true },
  { name: "class", pattern: '[0-9]{5}"', flags: ["-E"], options: extended },
  { name: "alternatives", pattern: "ERROR|WARN", flags: ["-E"], options: extended },
  {
    name: "date and status",
    pattern: "Nov/2026:1[0-5]:.* (404|500) ",
    flags: ["-E"],
    options: extended,
  },
  { name: "dots", pattern: "GET .*id=[0-9]+7 HTTP", flags: ["-E"], options: extended },
  { name: "no literal", pattern: "[A-Z]{5} .[a-z]", flags: ["-E"], options: extended },
  { name: "anchored", pattern: "^10\\.1[0-9]\\.", flags: ["-E"], options: extended },
  { name: "end", pattern: '[0-9]+ "curl[^"]*"$', flags: ["-E"], options: extended },
  { name: "word class", pattern: "\\b[a-z]{7}\\b", flags: ["-E"], options: extended },
  { name: "UTF-8", pattern: "J.rgen", flags: [], options: basic },
];

function ours(log: Uint8Array, row: Row): [count: number, ms: number] {
  const regex = compileRegex(row.pattern.split("\n"), row.options);
  const started = performance.now();
  let matched = 0;
  let lines = 0;
  for (let at = 0; at < log.length;) {
    const limit = Math.min(log.length, at + blockSize);
    const end = limit === log.length ? limit : log.lastIndexOf(10, limit - 1) + 1;
    matched += regex.matchingLines(log, at, end, 10, row.invert === true).matched;
    at = end;
  }
  const ms = performance.now() - started;
  if (row.invert === true) {
    for (let at = log.indexOf(10); at >= 0; at = log.indexOf(10, at + 1)) lines++;
    return [lines - matched, ms];
  }
  return [matched, ms];
}

async function gnu(file: string, row: Row): Promise<[count: number, ms: number]> {
  const started = performance.now();
  const { stdout } = await new Deno.Command("grep", {
    args: [...row.flags, "-c", "-e", row.pattern, file],
    env: { LC_ALL: "C.UTF-8" },
  }).output();
  return [Number(new TextDecoder().decode(stdout)), performance.now() - started];
}

if (import.meta.main) {
  const megabytes = Number(Deno.args[0] ?? 64);
  const log = makeLog(megabytes * 1_000_000);
  const file = await Deno.makeTempFile();
  try {
    await Deno.writeFile(file, log);
    console.log("pattern              ours MB/s    GNU MB/s   ratio   lines");
    for (const row of table) {
      let best = Infinity;
      let bestGnu = Infinity;
      let count = 0;
      let expected = 0;
      for (let i = 0; i < rounds; i++) {
        const [found, ms] = ours(log, row);
        const [theirs, gnuMs] = await gnu(file, row);
        [count, expected] = [found, theirs];
        best = Math.min(best, ms);
        bestGnu = Math.min(bestGnu, gnuMs);
      }
      const rate = log.length / 1000 / best;
      const gnuRate = log.length / 1000 / bestGnu;
      const same = count === expected ? "" : ` (GNU ${expected})`;
      console.log(
        row.name.padEnd(20) + rate.toFixed(0).padStart(10) + gnuRate.toFixed(0).padStart(12) +
          (rate / gnuRate).toFixed(2).padStart(8) + String(count).padStart(9) + same,
      );
    }
  } finally {
    await Deno.remove(file);
  }
}
