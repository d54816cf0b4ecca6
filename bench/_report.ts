/** Shared parts of the benchmarks: medians, tables, sample data, timed processes. */

/** The middle of the values; the mean of the two middle ones if their number is even. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const high = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? high : ((sorted[middle - 1] ?? NaN) + high) / 2;
}

/** Rounds for a table: three significant digits, no exponent. */
export function figure(value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return "-";
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

/** Formats rows as a Markdown table, aligned for a terminal too. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const widths = head.map((cell, column) =>
    Math.max(cell.length, ...rows.map((row) => (row[column] ?? "").length))
  );
  const line = (cells: readonly string[]) =>
    `| ${
      cells.map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)
      ).join(" | ")
    } |`;
  const rule = `|${
    widths.map((width, column) =>
      column === 0 ? "-".repeat(width + 2) : "-".repeat(width + 1) + ":"
    ).join("|")
  }|`;
  return [line(head), rule, ...rows.map(line)].join("\n");
}

/** The processor and the versions, for the head of a report. */
export function machine(): string {
  let processor = Deno.build.arch as string;
  try {
    const info = Deno.readTextFileSync("/proc/cpuinfo");
    processor = /model name\s*:\s*(.*)/.exec(info)?.[1] ?? processor;
  } catch {
    // Not Linux, or no permission: the architecture is enough.
  }
  return `${processor}, ${navigator.hardwareConcurrency} cores, Deno ${Deno.version.deno} (V8 ${Deno.version.v8})`;
}

/** A web server's log of about `size` bytes, shuffled, the same each time. */
export function sampleLog(size: number): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const bytes = new Uint8Array(size);
  const methods = ["GET", "GET", "GET", "POST", "PUT", "DELETE"];
  const paths = [
    "/",
    "/login",
    "/api/items",
    "/static/app.js",
    "/search?q=caf\u00e9",
    "/\u65e5\u672c",
  ];
  const levels = ["INFO", "INFO", "INFO", "INFO", "DEBUG", "WARN", "ERROR"];
  let state = 42;
  const next = (limit: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >> 8) % limit;
  };
  let length = 0;
  while (length < size) {
    let block = "";
    for (let line = 0; line < 1000; line++) {
      const second = String(next(86400)).padStart(5, "0");
      block += `2026-01-${String(1 + next(28)).padStart(2, "0")}T${second} ${
        levels[next(levels.length)]
      } 10.${next(256)}.${next(256)}.${next(256)} ${methods[next(methods.length)]} ${
        paths[next(paths.length)]
      } status=${200 + 100 * next(4)} bytes=${next(100_000)} user=u${next(5000)}\n`;
    }
    const part = encoder.encode(block).subarray(0, size - length);
    bytes.set(part, length);
    length += part.length;
  }
  bytes[size - 1] = 10;
  return bytes;
}

/** One run of a shell command. */
export interface ProcessRun {
  seconds: number;
  code: number;
  /** Peak resident memory in MB, if GNU time is installed. */
  peak: number | undefined;
}

const GNU_TIME = "/usr/bin/time";
const hasGnuTime: boolean = await Deno.stat(GNU_TIME).then(() => true, () => false);

/** Runs `command` in a shell and drops its output. Times include the start of the shell. */
export async function timeShell(
  command: string,
  env: Record<string, string> = {},
): Promise<ProcessRun> {
  const shell = ["bash", "-o", "pipefail", "-c", command];
  const [program = "sh", ...args] = hasGnuTime ? [GNU_TIME, "-f", "peak %M", ...shell] : shell;
  const begin = performance.now();
  const { code, stderr } = await new Deno.Command(program, {
    args,
    env: { LC_ALL: "C.UTF-8", ...env },
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).output();
  const seconds = (performance.now() - begin) / 1000;
  const peak = /peak (\d+)\s*$/.exec(new TextDecoder().decode(stderr))?.[1];
  return { seconds, code, peak: peak === undefined ? undefined : Number(peak) / 1024 };
}

/** The median seconds of `runs` runs, after `warm` runs for warm-up. */
export async function medianSeconds(
  run: () => Promise<{ seconds: number } | void>,
  runs = 5,
  warm = 1,
): Promise<number> {
  const seconds: number[] = [];
  for (let index = -warm; index < runs; index++) {
    const begin = performance.now();
    const result = await run();
    const elapsed = result?.seconds ?? (performance.now() - begin) / 1000;
    if (index >= 0) seconds.push(elapsed);
  }
  return median(seconds);
}

/** Short lines of one to three words, about `size` bytes, the same each time. */
export function sampleWords(size: number): Uint8Array<ArrayBuffer> {
  const words = ["alpha", "beta", "INFO", "delta", "x", "error", "status=500", "caf\u00e9", "42"];
  const encoder = new TextEncoder();
  const bytes = new Uint8Array(size);
  let state = 7;
  const next = (limit: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >> 8) % limit;
  };
  let block = "";
  while (block.length < 1 << 20) {
    const count = 1 + next(3);
    for (let word = 0; word < count; word++) block += `${word === 0 ? "" : " "}${words[next(9)]}`;
    block += "\n";
  }
  const part = encoder.encode(block);
  for (let at = 0; at < size; at += part.length) {
    bytes.set(part.subarray(0, Math.min(part.length, size - at)), at);
  }
  bytes[size - 1] = 10;
  return bytes;
}
