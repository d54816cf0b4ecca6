/**
 * Runs all tests: `deno task test [--all] [PATH...] [flags of deno test...]`.
 *
 * An isolate costs half a second of CPU time, more than the tests of most files. So one entry
 * imports all test files of a room (`tests/plan.ts`), and each entry runs in its own process, so
 * that a crash or a changed environment does not affect the others. Code blocks of the
 * documentation are tests, too.
 *
 * Without `--all`, tests that need a browser or take minutes are left out. The end of the report
 * lists them, and tests that were skipped because an optional program is missing.
 */
import { PROGRAM_VARIABLE } from "../tests/_program.ts";
import { QUICK, SKIPPED_LIST } from "../tests/_optional.ts";
import { bundle } from "./bundle.ts";
import {
  add,
  type Counts,
  countsOf,
  failureOf,
  NO_TESTS,
  skippedReport,
  summary,
} from "./tests/report.ts";
import { type Entry, findTestFiles, planEntries } from "./tests/plan.ts";

const ROOT = new URL("../", import.meta.url);

/** `deno task check` checks types; here that would take a quarter of the time. */
const FLAGS = ["--no-check", "--no-prompt", "--allow-all"];

/** Entries that run at once: many tests wait for processes, so one more than processors. */
const JOBS = navigator.hardwareConcurrency + 1;

/** Signals that are passed on to the tests. The runner then waits until they have ended. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Flags of `deno test` whose value is the next argument. */
const WITH_VALUE = /^--(filter|shuffle|fail-fast|inspect|junit-path|reporter|seed)$/;

interface Arguments {
  readonly all: boolean;
  readonly paths: readonly string[];
  readonly flags: readonly string[];
}

function readArguments(args: readonly string[]): Arguments {
  const paths: string[] = [];
  const flags: string[] = [];
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? "";
    if (!arg.startsWith("-")) paths.push(arg);
    else if (arg !== "--all") flags.push(arg);
    if (WITH_VALUE.test(arg)) flags.push(args[++index] ?? "");
  }
  return { all: args.includes("--all"), paths, flags };
}

/** Runs the tests and prints the report; resolves to the exit status. */
export async function runTests(args: readonly string[]): Promise<number> {
  const { all, paths, flags } = readArguments(args);
  const begin = Date.now();
  const folder = await Deno.makeTempDir({ prefix: "llmcmd-tests-" });
  const list = `${folder}/skipped`;
  const running = new Set<Deno.ChildProcess>();
  let stopped = false;
  const stop = SIGNALS.map((signal) => ({
    signal,
    listener: () => {
      stopped = true;
      for (const child of running) kill(child, signal);
    },
  }));
  try {
    for (const { signal, listener } of stop) Deno.addSignalListener(signal, listener);
    await Deno.writeTextFile(list, "");
    const files = await findTestFiles(paths.length === 0 ? ["."] : paths).catch((error) => {
      if (error instanceof Deno.errors.NotFound) return undefined;
      throw error;
    });
    if (files === undefined) {
      console.error(`Cannot find all of ${paths.join(", ")}: give test files or folders`);
      return 2;
    }
    const entries = planEntries(files);
    // A run inside another, as in the tests of this file, has it already.
    const made = Deno.env.get(PROGRAM_VARIABLE);
    const program = made === undefined && entries.some(({ startsProgram }) => startsProgram)
      ? bundle("cli.ts", `${folder}/llmcmd`)
      : Promise.resolve(made ?? "");
    const common: Record<string, string> = {
      [SKIPPED_LIST]: list,
      ...(all ? {} : { [QUICK]: "1" }),
    };
    const total: Counts = { ...NO_TESTS };
    const failures: string[] = [];
    let status = 0;
    const work = entries.entries();
    const worker = async () => {
      for (const [index, entry] of work) {
        if (stopped) return;
        const file = await writeEntry(`${folder}/${index}`, entry);
        // The others begin while the bundle is made.
        const env = entry.startsProgram ? { ...common, [PROGRAM_VARIABLE]: await program } : common;
        if (stopped) return;
        const child = new Deno.Command(Deno.execPath(), {
          args: ["test", ...FLAGS, ...(entry.isBulk ? withoutCoverage(flags) : flags), file],
          env,
          stdin: "null",
          stdout: "piped",
          stderr: "piped",
        }).spawn();
        running.add(child);
        const from = Date.now();
        const { code, output } = await outcome(child);
        running.delete(child);
        const counts = countsOf(output, code);
        add(total, counts);
        console.info(summary(`${code === 0 ? "  " : "! "}${entry.name}:`, counts, from));
        if (code === 0) continue;
        status = code;
        failures.push(failureOf(entry.name, output));
      }
    };
    await Promise.all([program, ...Array.from({ length: JOBS }, worker)]);
    // A signal that no test was there to get.
    if (stopped) status ||= 130;
    if (status === 0 && total.passed + total.ignored === 0) {
      console.error(
        `No test ran: ${total.filtered} were filtered out; give files or folders of tests`,
      );
      return 1;
    }
    if (failures.length > 0) console.info(`\n${failures.join("\n")}`);
    console.info(`\n${summary(status === 0 ? "ok |" : "FAILED |", total, begin)}`);
    const report = skippedReport(await Deno.readTextFile(list));
    if (report !== "") console.info(`\n${report}`);
    return status;
  } finally {
    // Tests that still run, because the bundle could not be made.
    stopped = true;
    for (const child of running) kill(child, "SIGTERM");
    await Promise.all([...running].map(({ status }) => status));
    for (const { signal, listener } of stop) Deno.removeSignalListener(signal, listener);
    await Deno.remove(folder, { recursive: true });
  }
}

function withoutCoverage(flags: readonly string[]): readonly string[] {
  return flags.filter((flag) => !flag.startsWith("--coverage"));
}

function kill(child: Deno.ChildProcess, signal: Deno.Signal): void {
  try {
    child.kill(signal);
  } catch {
    // It has ended: a terminal sends the signal to all its processes.
  }
}

/** Writes a file that imports those of an entry; resolves to its path. */
async function writeEntry(folder: string, { files }: Entry): Promise<string> {
  await Deno.mkdir(folder);
  const urls: string[] = [];
  for (const [index, { path, blocks }] of files.entries()) {
    if (blocks.length === 0) urls.push(new URL(path, ROOT).href);
    for (const [number, text] of blocks.entries()) {
      const file = `${folder}/doc_${index}_${number}_test.ts`;
      await Deno.writeTextFile(file, text);
      urls.push(new URL(file, "file:").href);
    }
  }
  const entry = `${folder}/entry_test.ts`;
  const helper = new URL("tests/entry.ts", import.meta.url).href;
  await Deno.writeTextFile(
    entry,
    `import { importTests } from "${helper}";\nawait importTests(${JSON.stringify(urls)});\n`,
  );
  return entry;
}

/** Resolves to the status of a run and its whole output. */
async function outcome(child: Deno.ChildProcess): Promise<{ code: number; output: string }> {
  let output = "";
  const collect = async (stream: Deno.ChildProcess["stdout"]) => {
    for await (const text of stream.pipeThrough(new TextDecoderStream())) output += text;
  };
  const [{ code }] = await Promise.all([
    child.status,
    collect(child.stdout),
    collect(child.stderr),
  ]);
  return { code, output };
}

if (import.meta.main) Deno.exit(await runTests(Deno.args));
