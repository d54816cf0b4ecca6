/**
 * MB/s of the builtins (in process, and as a whole process), the GNU tools (C.UTF-8 and C), busybox
 * and just-bash, on the same input in one run. Only ratios within one table are meaningful. The
 * table is also written to `bench/RESULTS.md`.
 *
 * - `deno task bench [megabytes]`: the first eight commands on a log.
 * - `deno task bench:builtins [megabytes]`: all of them, and 256 MB of short lines.
 */
import { loadBuiltin, Stage } from "../src/builtins/mod.ts";
import { drain, memorySource } from "../src/streams/mod.ts";
import { bundle } from "../tools/bundle.ts";
import {
  figure,
  machine,
  markdownTable,
  median,
  medianSeconds,
  sampleLog,
  sampleWords,
  timeShell,
} from "./_report.ts";

type Command = readonly [name: string, ...args: string[]];

const FIRST: readonly Command[] = [
  ["cat"],
  ["grep", "status=500"],
  ["grep", "-v", "INFO"],
  ["grep", "-E", "ERROR .* (POST|PUT) .*status=[45][0-9]{2}"],
  ["grep", "-ci", "error"],
  ["sed", "s/INFO/info/"],
  ["sed", "-E", "s/user=u([0-9]+)/id=\\1/"],
  ["head", "-n", "100000"],
  ["tail", "-n", "1000"],
  ["sort"],
  ["wc", "-l"],
  ["wc"],
  ["tr", "a-z", "A-Z"],
];

const REST: readonly Command[] = [
  ["cut", "-d", " ", "-f", "2,4"],
  ["uniq", "-c"],
  ["sort", "-u"],
  ["sort", "-k", "3,3"],
  ["tac"],
  ["rev"],
  ["base64"],
  ["sha256sum"],
];

/**
 * The used part of just-bash. It is imported by a computed name, so that it is not a dependency.
 */
interface JustBash {
  Bash: new (options: { files: Record<string, string> }) => {
    exec(command: string): Promise<{ exitCode: number }>;
  };
}

const quote = (word: string) => /^[\w.,=/-]+$/.test(word) ? word : `'${word}'`;
const line = (command: Command) => command.map(quote).join(" ");

const folder = await Deno.makeTempDir({ prefix: "llmcmd-bench-" });
let runner = "";

/** Runs the builtin in this process, from memory, without output. */
async function inProcess([name, ...args]: Command, input: Uint8Array<ArrayBuffer>): Promise<void> {
  const builtin = await loadBuiltin(name);
  const stage = new Stage(builtin, args, {
    stdin: memorySource(input, { seekable: true }),
    warn: (message) => console.error(message),
    signal: new AbortController().signal,
  });
  await drain(stage, { write: () => Promise.resolve(), close: () => Promise.resolve() });
}

/**
 * Seconds of a shell command on a file; `undefined` if it fails. Its output goes through a pipe, as
 * GNU grep stops at the first match if it writes to /dev/null.
 */
async function shell(command: string, file: string, locale: string): Promise<number | undefined> {
  const script = `${command} < ${file} | cat`;
  let code = 0;
  const seconds = await steadySeconds(async () => {
    const run = await timeShell(script, { LC_ALL: locale });
    code = run.code;
    return run;
  });
  return code > 1 ? undefined : seconds;
}

/** The median of three runs after a warm-up; if the warm-up is slow, its time alone. */
async function steadySeconds(run: () => Promise<{ seconds: number } | void>): Promise<number> {
  const first = await medianSeconds(run, 1, 0);
  return first > 3 ? first : await medianSeconds(run, 3, 0);
}

/** MB/s of just-bash on a tenth of the input, as some commands take minutes on all of it. */
async function justBash(command: Command, input: Uint8Array): Promise<number | undefined> {
  const name = "npm:just-bash@3.4.2";
  const { Bash } = await import(name) as JustBash;
  const part = new TextDecoder().decode(input.subarray(0, Math.min(input.length / 10, 6.4e6)));
  const bash = new Bash({ files: { "/log": part } });
  const seconds: number[] = [];
  for (let run = 0; run < 2; run++) {
    const begin = performance.now();
    const { exitCode } = await bash.exec(`cat /log | ${line(command)} > /dev/null`);
    if (exitCode > 1) return undefined;
    seconds.push((performance.now() - begin) / 1000);
  }
  return part.length / 1e6 / median(seconds);
}

async function table(
  commands: readonly Command[],
  input: Uint8Array<ArrayBuffer>,
): Promise<string> {
  const file = `${folder}/input`;
  await Deno.writeFile(file, input);
  const size = input.length / 1e6;
  const rate = (seconds: number | undefined) => seconds === undefined ? undefined : size / seconds;
  const rows: string[][] = [];
  for (const command of commands) {
    const text = line(command);
    const own = rate(await steadySeconds(() => inProcess(command, input)));
    const process = rate(
      await shell(`${Deno.execPath()} run --quiet -A ${runner} ${text}`, file, "C.UTF-8"),
    );
    const utf8 = rate(await shell(text, file, "C.UTF-8"));
    const c = rate(await shell(text, file, "C"));
    const busybox = rate(await shell(`busybox ${text}`, file, "C.UTF-8"));
    const peer = await justBash(command, input).catch(() => undefined);
    const ratio = (a: number | undefined, b: number | undefined) =>
      figure(a === undefined || b === undefined ? undefined : a / b);
    rows.push([
      text.replaceAll("|", "\\|"),
      ...[own, process, utf8, c, busybox, peer].map(figure),
      ratio(own, utf8),
      ratio(process, utf8),
      ratio(own, peer),
    ]);
    console.info(rows.at(-1)?.join("  "));
  }
  return markdownTable([
    "command",
    "in process",
    "process",
    "GNU C.UTF-8",
    "GNU C",
    "busybox",
    "just-bash",
    "in process / GNU",
    "process / GNU",
    "/ just-bash",
  ], rows);
}

const all = Deno.args.includes("--all");
const megabytes = Number(Deno.args.find((word) => /^\d+$/.test(word)) ?? 64);
try {
  runner = await bundle(new URL("_run_builtin.ts", import.meta.url).pathname, `${folder}/bundle`);
  const sections: string[] = [];
  const section = async (
    title: string,
    commands: readonly Command[],
    input: Uint8Array<ArrayBuffer>,
  ) => {
    sections.push(`## ${title}\n\n${await table(commands, input)}\n`);
  };
  await section(
    `A log of ${megabytes} MB`,
    all ? [...FIRST, ...REST] : FIRST,
    sampleLog(megabytes * 1e6),
  );
  if (all) {
    const short = [...FIRST, ...REST.slice(0, 2)];
    await section(`Short lines, ${4 * megabytes} MB`, short, sampleWords(4 * megabytes * 1e6));
  }
  const report = `# Results\n\nMB/s, medians, output through a pipe. ${
    new Date().toISOString().slice(0, 10)
  }, ${machine()}. Made by \`deno task ${
    all ? "bench:builtins" : "bench"
  }\`; rates are only good as ratios inside one table.\n\n${sections.join("\n")}`;
  if (all) await Deno.writeTextFile(new URL("RESULTS.md", import.meta.url), report);
  console.info(`\n${report}`);
} finally {
  await Deno.remove(folder, { recursive: true });
}
