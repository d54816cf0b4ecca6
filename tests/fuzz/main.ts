// Usage: deno run -A tests/fuzz/main.ts [SECONDS] [SEED] [COMMAND]...
//        deno run -A tests/fuzz/main.ts --case COMMAND SEED
//
// Compares the builtins with GNU's tools on random commands and inputs, each for SECONDS, and
// prints differences that are not in known_differences.json. Exits with 1 if there are any.
import { isBuiltinName } from "../../src/builtins/mod.ts";
import { commands } from "./commands.ts";
import { Fuzzer, report } from "./fuzzer.ts";
import { oneLiner } from "./case.ts";
import { readKnownFile } from "./known.ts";

const known = await readKnownFile();
/** Findings after which a command is skipped: one fault shows in many cases. */
const ENOUGH = Number(Deno.env.get("FUZZ_FINDINGS") ?? 10);

async function again(command: string, seed: number): Promise<number> {
  await using fuzzer = await Fuzzer.of(command, known, seed);
  if (fuzzer === undefined) throw new Error(`There is no ${command} to compare with`);
  console.log(oneLiner(fuzzer.makeCase(seed)));
  await fuzzer.batch([seed]);
  const { findings, known: counts } = fuzzer.tally;
  for (const finding of findings) console.log(report(finding));
  if (findings.length === 0) {
    console.log(`agrees${[...counts.keys()].map((id) => `, but for ${id}`)}`);
  }
  return findings.length > 0 ? 1 : 0;
}

async function fuzz(seconds: number, seed: number, names: readonly string[]): Promise<number> {
  console.log(`seed ${seed}`);
  let findings = 0;
  for (const command of names) {
    await using fuzzer = await Fuzzer.of(command, known, seed);
    if (fuzzer === undefined) {
      console.log(`${command}: skipped, there is no such tool on this machine`);
      continue;
    }
    const { tally } = fuzzer;
    const end = Date.now() + seconds * 1000;
    let shown = 0;
    while (Date.now() < end && tally.findings.length < ENOUGH) {
      await fuzzer.batch();
      for (; shown < tally.findings.length; shown++) {
        const finding = tally.findings[shown];
        if (finding !== undefined) console.log(report(finding));
      }
    }
    findings += tally.findings.length;
    const listed = [...tally.known].map(([id, count]) => ` ${id} ${count}`).join();
    console.log(
      `${command}: ${tally.runs} runs, ${tally.findings.length} differ` +
        `${listed === "" ? "" : `; known:${listed}`}` +
        `${tally.skipped === 0 ? "" : `; ${tally.skipped} without end`}`,
    );
  }
  return findings > 0 ? 1 : 0;
}

const [first = "", second = "", ...rest] = Deno.args;
if (first === "--case") {
  Deno.exit(await again(second, Number(rest[0] ?? 0)));
} else {
  const seconds = Number(first === "" ? 10 : first);
  const seed = second === "" || second === "-" ? Date.now() % 2 ** 31 : Number(second);
  if (!(seconds > 0) || !Number.isInteger(seed)) {
    throw new RangeError(`SECONDS and SEED are numbers: '${first}', '${second}'`);
  }
  const all: string[] = Object.keys(commands).filter(isBuiltinName);
  const unknown = rest.filter((name) => !all.includes(name));
  if (unknown.length > 0) {
    throw new RangeError(
      `There is nothing to fuzz for ${unknown.join(", ")}; there is for ${all.join(", ")}`,
    );
  }
  Deno.exit(await fuzz(seconds, seed, rest.length > 0 ? rest : all));
}
