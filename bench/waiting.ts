/**
 * Tests the rule that detects who waits for input on programs that it was not written for
 * (`_waiting_programs.ts`), with and without the sandbox. Prints wrong answers and a summary.
 *
 *     deno task bench:waiting [none|bwrap] [TEXT]
 *
 * `TEXT` chooses the programs whose line contains it.
 */
import { chooseSandbox } from "../src/terminal/mod.ts";
import { testBench } from "../src/terminal/sessions/_testing.ts";
import { findProgram } from "../tools/find_program.ts";
import { markdownTable } from "./_report.ts";
import { WAITING, type WaitingProgram, WORKING } from "./_waiting_programs.ts";

/** Milliseconds within which a waiting program must be detected; some start slowly. */
const MOST = 30_000;
/** Milliseconds in which a working program must not be taken for a waiting one. */
const WATCHED = 5000;
/** Programs that run at once. */
const AT_ONCE = 3;

const { signal } = new AbortController();

/** Runs a program; resolves to the answer about it and to its output. */
async function ask(
  { command, mode, ready }: WaitingProgram,
  kind: "none" | "bwrap",
): Promise<{ said: string; output: string }> {
  // Each has its own folder, as many write there.
  await using bench = await testBench({ sandbox: await chooseSandbox(kind) });
  const session = await bench.start(command);
  let output = "";
  if (ready !== undefined) {
    const matches = (text: string) => text.includes(ready);
    const until = { kind: "output", matches } as const;
    const state = await session.read({ timeout: MOST, maxBytes: 65_536, until, signal });
    output = state.output;
    if (!matches(output)) return { said: "never ready", output };
  }
  const until = { kind: "input" } as const;
  const timeout = mode === null ? WATCHED : MOST;
  const end = performance.now() + timeout;
  for (;;) {
    const left = Math.max(0, end - performance.now());
    const state = await session.read({ timeout: left, maxBytes: 65_536, until, signal });
    output += state.output;
    if (!state.isRunning) return { said: `ended with ${state.exitCode}`, output };
    const { inputMode, confidence } = state;
    if (state.waitingForInput) {
      return { said: `${inputMode}${confidence === "low" ? ", a guess" : ""}`, output };
    }
    if (state.atPrompt) return { said: "at its prompt", output };
    if (performance.now() >= end) return { said: "works", output };
  }
}

interface Counts {
  right: number;
  wrong: number;
  skipped: number;
}

/** Checks all programs; resolves to the counts. */
async function askAll(
  programs: readonly WaitingProgram[],
  kind: "none" | "bwrap",
): Promise<Counts> {
  const counts: Counts = { right: 0, wrong: 0, skipped: 0 };
  const queue = [...programs];
  const next = async (): Promise<void> => {
    for (let program = queue.shift(); program !== undefined; program = queue.shift()) {
      const { command, mode, needs, notInSandbox } = program;
      const lacks = needs.find((it) => findProgram(it) === undefined);
      if (lacks !== undefined || kind === "bwrap" && notInSandbox !== undefined) {
        counts.skipped++;
        const why = lacks === undefined ? notInSandbox : `${lacks} is not installed`;
        console.info(`skipped (${kind}): ${command}: ${why}`);
        continue;
      }
      const { said, output } = await ask(program, kind);
      const right = said === (mode ?? "works") || said === `${mode}, a guess`;
      counts[right ? "right" : "wrong"]++;
      const seen = right ? "" : `\n    ${JSON.stringify(output.slice(-300))}`;
      if (!right) {
        console.info(`WRONG (${kind}): ${command}: ${said}, not ${mode ?? "works"}${seen}`);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
  return counts;
}

const kinds = (["none", "bwrap"] as const).filter((it) => (Deno.args[0] ?? it) === it);
const text = Deno.args[1] ?? "";
const rows: string[][] = [];
let wrong = 0;
for (const kind of kinds) {
  for (const [name, all] of [["wait", WAITING], ["do not wait", WORKING]] as const) {
    const chosen = all.filter(({ command }) => command.includes(text));
    const counts = await askAll(chosen, kind);
    wrong += counts.wrong;
    const sandbox = kind === "none" ? "without" : "bwrap";
    const numbers = [counts.right, counts.wrong, counts.skipped].map(String);
    rows.push([name, sandbox, ...numbers]);
  }
}
console.info(markdownTable(["programs that", "sandbox", "right", "wrong", "skipped"], rows));
Deno.exit(wrong === 0 ? 0 : 1);
