/**
 * The recorded answers of GNU's tools, for tests. No test starts a tool: if an answer is missing,
 * the test fails with the command that records it.
 *
 * @module
 */
import { commandLine, type GnuAnswer, type GnuCase } from "./case.ts";
import { Records } from "./records.ts";

/** The variable with a folder to which tests write their cases instead of comparing. */
export const CASES_VARIABLE = "GNU_CASES";

/** The folder of the data files. */
export const ANSWERS: URL = new URL("answers/", import.meta.url);

/** Cases without an answer that a message lists. */
const SHOWN = 5;

const known = new Map<string, Records>();

function recordsOf(tool: string): Records {
  let records = known.get(tool);
  if (records === undefined) {
    records = readRecords(tool) ?? new Records(tool, "no version");
    known.set(tool, records);
  }
  return records;
}

/** The records of a tool; `undefined` if there is no data file. */
export function readRecords(tool: string): Records | undefined {
  try {
    return Records.parse(Deno.readTextFileSync(new URL(`${tool}.jsonl`, ANSWERS)));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/**
 * A tool's answer to each case; `undefined` while `deno task gnu --update` collects cases, as there
 * is nothing to compare. Throws an `Error` that names cases without a recorded answer.
 */
export function gnuAnswers(tool: string, cases: readonly GnuCase[]): GnuAnswer[] | undefined {
  const folder = Deno.env.get(CASES_VARIABLE);
  if (folder !== undefined) {
    const asked = new Records(tool, "");
    for (const test of cases) asked.add(test);
    Deno.writeTextFileSync(`${folder}/${crypto.randomUUID()}.jsonl`, asked.toString());
    return undefined;
  }
  const records = recordsOf(tool);
  const missing: GnuCase[] = [];
  const answers: GnuAnswer[] = [];
  for (const test of cases) {
    const answer = records.find(test);
    if (answer === undefined) missing.push(test);
    else answers.push(answer);
  }
  if (missing.length === 0) return answers;
  const lines = [...new Set(missing.map((test) => commandLine(tool, test)))];
  throw new Error(
    `${missing.length} of ${cases.length} cases have no recorded answer of ${tool} ` +
      "(record them with: deno task gnu --update):\n  " + lines.slice(0, SHOWN).join("\n  ") +
      (lines.length > SHOWN ? `\n  and ${lines.length - SHOWN} more command lines` : ""),
  );
}
