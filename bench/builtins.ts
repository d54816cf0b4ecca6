/**
 * MB/s of the builtins in process, of the GNU tools, and of just-bash, on one log in one run:
 * `deno task bench [megabytes]`. Rates are only good as ratios inside one table.
 */
import { loadBuiltin, Stage } from "../src/builtins/mod.ts";
import { drain, memorySource } from "../src/streams/mod.ts";
import {
  figure,
  machine,
  markdownTable,
  median,
  medianSeconds,
  sampleLog,
  timeShell,
} from "./_report.ts";

const COMMANDS: readonly (readonly [string, ...string[]])[] = [
  ["cat"],
  ["grep", "status=500"],
  ["grep", "-v", "INFO"],
  ["grep", "-E", "ERROR .* (POST|PUT) .*status=[45][0-9]{2}"],
  ["sed", "s/INFO/info/"],
  ["sed", "-E", "s/user=u([0-9]+)/id=\\1/"],
  ["head", "-n", "400000"],
  ["tail", "-n", "1000"],
  ["sort"],
  ["wc", "-l"],
  ["wc"],
  ["tr", "a-z", "A-Z"],
];

/** The part of just-bash that is used here. It is loaded by name, so that it is no dependency. */
interface JustBash {
  Bash: new (options: { files: Record<string, string> }) => {
    exec(command: string): Promise<{ exitCode: number }>;
  };
}

const quote = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;

const megabytes = Number(Deno.args[0] ?? 64);
const log = sampleLog(megabytes * 1e6);
const folder = await Deno.makeTempDir({ prefix: "llmcmd-bench-" });
const file = `${folder}/log`;
await Deno.writeFile(file, log);

async function ours(command: string, args: readonly string[]): Promise<void> {
  const builtin = await loadBuiltin(command);
  const stage = new Stage(builtin, args, {
    stdin: memorySource(log, { seekable: true }),
    warn: (message) => console.error(message),
    signal: new AbortController().signal,
  });
  await drain(stage, { write: () => Promise.resolve(), close: () => Promise.resolve() });
}

async function justBash(command: readonly string[]): Promise<number | undefined> {
  const name = "npm:just-bash@3.4.2";
  const { Bash } = await import(name) as JustBash;
  // A tenth of the log: whole, some of these commands take minutes there.
  const part = new TextDecoder().decode(log.subarray(0, log.length / 10));
  const bash = new Bash({ files: { "/log": part } });
  const seconds: number[] = [];
  for (let run = 0; run < 2; run++) {
    const begin = performance.now();
    await bash.exec(`cat /log | ${command.map(quote).join(" ")} > /dev/null`);
    seconds.push((performance.now() - begin) / 1000);
  }
  return part.length / 1e6 / median(seconds);
}

try {
  const rows: string[][] = [];
  for (const [command, ...args] of COMMANDS) {
    const line = [command, ...args];
    // Not straight to /dev/null: GNU grep stops at the first match there.
    const shell = `${line.map(quote).join(" ")} < ${file} | cat`;
    const own = megabytes / await medianSeconds(() => ours(command, args));
    const gnu = megabytes / await medianSeconds(() => timeShell(shell));
    const peer = await justBash(line).catch(() => undefined);
    rows.push([
      line.join(" "),
      figure(own),
      figure(gnu),
      figure(peer),
      figure(own / gnu),
      peer === undefined ? "-" : figure(own / peer),
    ]);
  }
  console.info(`${megabytes} MB log, MB/s, medians. ${machine()}\n`);
  console.info(
    markdownTable(["command", "llmcmd", "GNU", "just-bash", "/ GNU", "/ just-bash"], rows),
  );
} finally {
  await Deno.remove(folder, { recursive: true });
}
