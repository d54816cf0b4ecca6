// Usage: deno task gnu [TOOL]...
//        deno task gnu --update [TEST]...
//
// Runs the tools on all recorded cases, and exits with 1 if a tool of the recorded version answers
// differently. With --update, collects the cases of the tests and records the answers to them. If
// TEST names files or folders, only their tests run, and the cases of other tests stay.
import { isDeepStrictEqual } from "node:util";
import { ANSWERS, CASES_VARIABLE, readRecords } from "./answers.ts";
import { commandLine, type GnuAnswer, type GnuCase, sameData, shownData } from "./case.ts";
import { Records } from "./records.ts";
import { runTool, versionOf } from "./tools.ts";

const ROOT = new URL("../../", import.meta.url);
/** The tests that use recorded answers. */
const TESTS = ["src/builtins", "src/regex", "tests/one_liners_test.ts"];
/** Most cases of a tool that are printed if its answer differs. */
const SHOWN = 5;
/** Characters of an answer that are printed. */
const WIDTH = 600;

function recordedTools(): string[] {
  const names = [...Deno.readDirSync(ANSWERS)].map(({ name }) => name);
  return names.filter((name) => name.endsWith(".jsonl")).map((name) => name.slice(0, -6)).sort();
}

function same(now: GnuAnswer, { stdout, ...recorded }: GnuAnswer): boolean {
  return now.stdout instanceof Uint8Array && sameData(now.stdout, stdout) &&
    isDeepStrictEqual({ ...now, stdout: undefined }, { ...recorded, stdout: undefined });
}

function shown({ stdout, stderr, status, files }: GnuAnswer): string {
  const texts = Object.entries(files).map(([name, data]) => [name, shownData(data)]);
  const all = [status, shownData(stderr), shownData(stdout), ...texts];
  return JSON.stringify(all).slice(0, WIDTH);
}

function inputOf({ stdin = new Uint8Array(0), seekable }: GnuCase): string {
  const text = JSON.stringify(shownData(stdin)).slice(0, WIDTH / 4);
  return `${seekable === true ? "file" : "pipe"} ${text}`;
}

/** The reason why the records of a tool cannot be compared on this machine. */
async function whyNot(tool: string, recorded: string): Promise<string | undefined> {
  const version = await versionOf(tool);
  if (version === undefined) return `${tool}: there is none on this machine`;
  if (version !== recorded) return `${tool}: this is ${version}, recorded is ${recorded}`;
  return undefined;
}

/** Compares the tools with their records; resolves to the exit status. */
async function check(tools: readonly string[]): Promise<number> {
  const left: string[] = [];
  let failed = false;
  for (const tool of tools) {
    const records = readRecords(tool);
    if (records === undefined) throw new Error(`There are no records of ${tool}`);
    const why = await whyNot(tool, records.version);
    if (why !== undefined) {
      left.push(why);
      continue;
    }
    const cases = [...records.cases()];
    const answers = await runTool(tool, cases.map(([test]) => test));
    const wrong = cases.flatMap(([test, recorded], i) => {
      const now = answers[i];
      if (now === undefined || (recorded !== undefined && same(now, recorded))) return [];
      const before = recorded === undefined ? "nothing" : shown(recorded);
      return [
        `${commandLine(tool, test)} (${inputOf(test)})\n  recorded ${before}\n  now      ${
          shown(now)
        }`,
      ];
    });
    console.log(
      wrong.length === 0
        ? `${tool}: ${cases.length} cases`
        : `${tool}: ${wrong.length} of ${cases.length} cases are answered otherwise\n` +
          wrong.slice(0, SHOWN).join("\n"),
    );
    failed ||= wrong.length > 0;
  }
  if (left.length > 0) console.log(`Not compared:\n  ${left.join("\n  ")}`);
  return failed ? 1 : 0;
}

/** Runs the tests so that they write their cases; resolves to these by tool. */
async function askedCases(tests: readonly string[]): Promise<Map<string, Records>> {
  const folder = await Deno.makeTempDir({ prefix: "gnu-cases-" });
  try {
    const { success, stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["test", "--quiet", "--no-check", "--parallel", "--no-prompt", "--allow-all", ...tests],
      cwd: ROOT,
      env: { [CASES_VARIABLE]: folder },
      stderr: "inherit",
    }).output();
    if (!success) {
      await Deno.stdout.write(stdout);
      throw new Error("These tests fail before anything is compared, so their cases are not known");
    }
    const asked = new Map<string, Records>();
    for (const { name } of Deno.readDirSync(folder)) {
      const some = Records.parse(Deno.readTextFileSync(`${folder}/${name}`));
      const all = asked.get(some.tool) ?? new Records(some.tool, "");
      for (const [test] of some.cases()) all.add(test);
      asked.set(some.tool, all);
    }
    return asked;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** The new records of a tool, and the number of cases without an answer. */
interface Recorded {
  readonly records: Records;
  readonly fresh: number;
  readonly unanswered: number;
  /** The reason why the tool could not be run. */
  readonly why: string | undefined;
}

/** Keeps recorded answers, and runs the tool on all other cases. */
async function record(tool: string, cases: readonly GnuCase[]): Promise<Recorded> {
  const before = readRecords(tool);
  const version = before?.version ?? await versionOf(tool) ?? "";
  const records = new Records(tool, version);
  const fresh: GnuCase[] = [];
  for (const test of cases) {
    const answer = before?.find(test);
    if (answer === undefined) fresh.push(test);
    else records.add(test, answer);
  }
  const why = fresh.length === 0 ? undefined : await whyNot(tool, version);
  if (why !== undefined) return { records, fresh: 0, unanswered: fresh.length, why };
  for (const [i, answer] of (await runTool(tool, fresh)).entries()) {
    const test = fresh[i];
    if (test !== undefined) records.add(test, answer);
  }
  return { records, fresh: fresh.length, unanswered: 0, why };
}

/** Records the answers to the cases of the tests; resolves to the exit status. */
async function update(tests: readonly string[]): Promise<number> {
  const all = tests.length === 0;
  const asked = await askedCases(all ? TESTS : tests);
  let failed = false;
  for (const tool of recordedTools().filter((tool) => all && !asked.has(tool))) {
    await Deno.remove(new URL(`${tool}.jsonl`, ANSWERS));
    console.log(`${tool}: no test asks for it any more`);
  }
  for (const [tool, its] of [...asked].sort(([a], [b]) => a < b ? -1 : 1)) {
    if (!all) { for (const [test] of readRecords(tool)?.cases() ?? []) its.add(test); }
    const cases = [...its.cases()].map(([test]) => test);
    const { records, fresh, unanswered, why } = await record(tool, cases);
    await Deno.writeTextFile(new URL(`${tool}.jsonl`, ANSWERS), records.toString());
    console.log(
      why === undefined
        ? `${tool}: ${records.size} cases, ${fresh} of them new`
        : `${why}; ${unanswered} new cases have no answer`,
    );
    failed ||= unanswered > 0;
  }
  return failed ? 1 : 0;
}

if (Deno.args[0] === "--update") {
  Deno.exit(await update(Deno.args.slice(1)));
} else {
  const tools = recordedTools();
  const unknown = Deno.args.filter((tool) => !tools.includes(tool));
  if (unknown.length > 0) {
    throw new RangeError(
      `There are no records of ${unknown.join(", ")}; there are of ${tools.join(", ")}`,
    );
  }
  Deno.exit(await check(Deno.args.length > 0 ? Deno.args : tools));
}
