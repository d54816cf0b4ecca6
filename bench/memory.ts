/**
 * Peak memory on a large input: `deno task bench:memory [GiB] [pipelines|builtins]`. Needs GNU
 * time.
 *
 * First pipelines in the whole command, on a file and on standard input, which is piped once and
 * twice. Then each builtin as a process of its own: on a log from a file, from a pipe if that makes
 * a difference, with a second file that differs in a few or in all lines, on the log as one line
 * (without newlines), and with very large option values.
 */
import { bundle, lazyEntry } from "../tools/bundle.ts";
import { denoRun, environment, servePipes } from "./_mock.ts";
import { figure, machine, markdownTable, sampleLog, timeShell } from "./_report.ts";

const JOBS = ["grep -v zzz", "cat | head", "wc", "sed s/INFO/info/ | grep -c info", "tail -n 3"];

/** The job on standard input, which must be stored to be piped again. */
const STDIN_JOB = "grep -c INFO";
const STDIN_TIMES = [1, 2];

/**
 * `LOG` is the log, `EDITED` one with a few other lines, `OTHER` one with only other lines; all are
 * files.
 */
const BUILTINS: readonly string[] = [
  "cat LOG",
  "grep -v zzz LOG",
  "grep -c INFO LOG",
  "sed s/INFO/info/ LOG",
  "head -n -10 LOG",
  "tail -n 1000 LOG",
  "tail -n +1000 LOG",
  "cat LOG | tail -n 1000",
  "sort LOG",
  "sort -t. -k2,2n -u LOG",
  "wc LOG",
  "tr a-z A-Z < LOG",
  "cut -d ' ' -f 2,4 LOG",
  "uniq -c LOG",
  "cat LOG | tee /dev/null",
  "nl LOG",
  "rev LOG",
  "tac LOG",
  "cat LOG | tac",
  "tac -s INFO LOG",
  "paste LOG LOG",
  "paste -s LOG",
  "join LOG /dev/null",
  "join -t ~ -j 2 SMALL OTHER",
  "comm LOG LOG",
  "fold -s LOG",
  "fmt LOG",
  "expand LOG",
  "unexpand -a LOG",
  "base64 LOG",
  "od LOG",
  "xxd LOG",
  "xxd -p LOG | xxd -r -p",
  "sha256sum LOG",
  "md5sum LOG",
  "seq 50000000",
  "yes | head -n 50000000",
  "diff LOG LOG",
  "diff LOG EDITED",
  "cat LOG | diff -q - EDITED",
  "diff -q LOG OTHER",
  "diff -U0 LOG EDITED | patch -o /dev/null LOG",
];

/** Jobs on the log as one line. Status 99 means that `lineBytes` ended the command. */
const ONE_LINE: readonly string[] = [
  "nl ONE",
  "nl -b pINFO ONE",
  "paste ONE ONE",
  "paste -s ONE",
  "wc ONE",
  "fold ONE",
  "fold -s -w 2000000000 ONE",
  "cut -c 1-9 ONE",
  "cut -f 2 ONE",
  "cut -d ' ' -f 2- ONE",
  "rev ONE",
  "fmt ONE",
  "expand ONE",
  "unexpand -a ONE",
  "cat -n ONE",
  "cat ONE | head -n -1",
  "cat ONE | tail -n 1",
  "tac ONE",
  "cat ONE | tac",
  "comm ONE ONE",
  "join ONE ONE",
  "diff -q ONE LOG",
  "tr a-z A-Z < ONE",
  "grep -c x ONE",
  "cat ONE | grep -c x",
  "sed -n p ONE",
  "uniq ONE",
  "sort ONE",
];

/** Jobs with very large option values. */
const HUGE: readonly string[] = [
  "cat LOG | head -c -10G",
  "cat LOG | head -n -1000000000",
  "cat LOG | tail -c 10G",
  "cat LOG | tail -n 1000000000",
  "head -c 10T LOG",
  "echo | nl -w 2000000000",
  "printf %2000000000d 1",
  "printf %.2000000000f 1",
  "seq -f %2000000000.0f 1",
  "printf 'a\\tb' | expand -t 2000000000",
  "unexpand -a -t 2000000000 LOG",
  "fold -w 2000000000 LOG",
  "od -w16000000 LOG",
  "od -w1000000000 LOG",
  "base64 -w 1000000000000 LOG",
  "xxd -p -c 0 LOG",
  "cut -b 1000000000- LOG",
  "grep -c -B 1000000000 zzz LOG",
  "grep -A 1000000000 zzz LOG",
  "grep -m 1 -C 1000000000 zzz LOG",
];

const size = Math.round(Number(Deno.args[0] ?? 1) * 2 ** 30);
const folder = await Deno.makeTempDir({ prefix: "llmcmd-memory-" });
const input = `${folder}/LOG`;
const source = new URL("../cli.ts", import.meta.url).pathname;
async function write(name: string, block: (part: Uint8Array) => Uint8Array): Promise<void> {
  const part = sampleLog(2 ** 24);
  using file = await Deno.open(`${folder}/${name}`, { write: true, create: true });
  for (let written = 0; written < size; written += part.length) {
    const piece = block(part.subarray(0, Math.min(part.length, size - written)));
    for (let done = 0; done < piece.length;) done += await file.write(piece.subarray(done));
  }
}

/**
 * A copy in which each byte at a multiple of `every` becomes `to` if it is `from`; a negative
 * `from` stands for every byte but a line break.
 */
function edited(part: Uint8Array, every: number, from: number, to: number): Uint8Array {
  const copy = part.slice();
  for (let at = every - 1; at < copy.length; at += every) {
    if (copy[at] === from || from < 0 && copy[at] !== 10) copy[at] = to;
  }
  return copy;
}

async function pipelines(): Promise<void> {
  await using endpoint = servePipes({
    ...Object.fromEntries(JOBS.map((cmd) => [`job ${cmd}!`, { cmd }])),
    ...Object.fromEntries(
      STDIN_TIMES.map((times) => [`stdin ${times}!`, { cmd: STDIN_JOB, from: 0, times }]),
    ),
  });
  const env = {
    ...environment(endpoint, folder),
    TMPDIR: folder,
    LLMCMD_MAX_INPUT_BYTES: String(2 * size),
    LLMCMD_MAX_OUTPUT_BYTES: String(2 * size),
  };
  // The entry that the read-me installs.
  const cli = lazyEntry(await bundle(source, `${folder}/llmcmd`));
  const rows: string[][] = [];
  const measure = async (name: string, before: string, trigger: string, ...args: string[]) => {
    // Stored standard input is in the temporary folder.
    const llmcmd = denoRun(endpoint, folder, cli, `--allow-write=${folder}`);
    const words = [Deno.execPath(), ...llmcmd, trigger, ...args];
    const line = before + words.map((word) => `'${word}'`).join(" ");
    const run = await timeShell(line, env);
    rows.push([name, figure(run.seconds), figure(run.peak), String(run.code)]);
  };
  for (const job of JOBS) await measure(job, "", `job ${job}!`, input);
  for (const times of STDIN_TIMES) {
    const name = `${STDIN_JOB} of standard input, times ${times}`;
    await measure(name, `cat '${input}' | `, `stdin ${times}!`);
  }
  console.info(`llmcmd on ${figure(size / 2 ** 30)} GiB. ${machine()}\n`);
  console.info(markdownTable(["pipe(cmd, 3, 1)", "seconds", "peak MB", "status"], rows));
}

/** Measures the builtins; in a pipeline, the command after the last bar is a builtin. */
async function builtins(): Promise<void> {
  const runner = `${folder}/runner.js`;
  await new Deno.Command(Deno.execPath(), {
    args: [
      "bundle",
      "--quiet",
      `--output=${runner}`,
      new URL("_run_builtin.ts", import.meta.url).pathname,
    ],
  }).output();
  const rows: string[][] = [];
  for (const job of [...BUILTINS, ...ONE_LINE, ...HUGE]) {
    const commands = job.split(" | ");
    const [own = ""] = commands.splice(-1);
    const line = [
      ...commands,
      `/usr/bin/time -f 'peak %M' ${Deno.execPath()} run -A ${runner} ${own}`,
    ]
      .join(" | ").replace(/\b(LOG|EDITED|OTHER|ONE|SMALL)\b/g, `${folder}/$1`);
    const begin = performance.now();
    const { code, stderr } = await new Deno.Command("bash", {
      args: ["-c", line],
      env: { LC_ALL: "C.UTF-8" },
      stdin: "null",
      stdout: "null",
      stderr: "piped",
    }).output();
    const peak = /peak (\d+)\s*$/.exec(new TextDecoder().decode(stderr))?.[1];
    const seconds = (performance.now() - begin) / 1000;
    rows.push([
      job.replaceAll(" | ", " \\| "),
      figure(seconds),
      figure(peak === undefined ? undefined : Number(peak) / 1024),
      String(code),
    ]);
    console.info(rows.at(-1)?.join("  "));
  }
  console.info(`\nBuiltins on ${figure(size / 2 ** 30)} GiB. ${machine()}\n`);
  console.info(markdownTable(["command", "seconds", "peak MB", "status"], rows));
}

try {
  await write("LOG", (part) => part);
  const only = Deno.args[1];
  if (only !== "builtins") await pipelines();
  if (only !== "pipelines") {
    await write("EDITED", (part) => edited(part, 2 ** 20, -1, 35));
    await write("OTHER", (part) => edited(part, 1, 50, 126));
    await write("ONE", (part) => edited(part, 1, 10, 32));
    await Deno.writeTextFile(`${folder}/SMALL`, " \n".repeat(10_000));
    await builtins();
  }
} finally {
  await Deno.remove(folder, { recursive: true });
}
