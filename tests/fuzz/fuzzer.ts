import { Random } from "../../src/regex/_testing.ts";
import { commands, makeCase } from "./commands.ts";
import { argumentsOf, type FuzzCase, type FuzzOutcome, oneLiner } from "./case.ts";
import { describe, differences } from "./compare.ts";
import { hasTool, isConfined, runGnuCases } from "./gnu.ts";
import { type Aspect, findKnown, type KnownDifference } from "./known.ts";
import { OurProcess } from "./our_process.ts";
import { smaller } from "./shrink.ts";
import { tableOf, type TableRow } from "./table.ts";

/** A difference that is not listed. */
export interface Finding {
  readonly command: string;
  /** Reproduces the case as it was before shrinking. */
  readonly seed: number;
  readonly aspects: readonly Aspect[];
  readonly test: FuzzCase;
  readonly ours: FuzzOutcome;
  readonly gnu: FuzzOutcome;
}

/** The results of one command. */
export interface Tally {
  runs: number;
  /** Cases in which the GNU tool did not end. */
  skipped: number;
  /** The number of cases for each entry of the known differences. */
  readonly known: Map<string, number>;
  readonly findings: Finding[];
}

/** Cases that a shell runs at once. */
const BATCH = 60;
/** Milliseconds for shrinking one case. */
const SHRINK = 12_000;

interface Verdict {
  readonly aspects: readonly Aspect[];
  readonly known: KnownDifference | undefined;
  readonly ours: FuzzOutcome;
  readonly gnu: FuzzOutcome;
}

/** Compares one command with GNU's, on random cases. */
export class Fuzzer implements AsyncDisposable {
  readonly tally: Tally = { runs: 0, skipped: 0, known: new Map(), findings: [] };
  readonly #command: string;
  readonly #rows: readonly TableRow[];
  readonly #known: readonly KnownDifference[];
  readonly #random: Random;
  readonly #process: OurProcess = new OurProcess();
  readonly #shapes = new Set<string>();

  private constructor(
    command: string,
    rows: readonly TableRow[],
    known: readonly KnownDifference[],
    seed: number,
  ) {
    this.#command = command;
    this.#rows = rows;
    this.#known = known;
    this.#random = new Random(seed);
  }

  /** Makes the fuzzer of a command; `undefined` if there is no GNU tool of that name. */
  static async of(
    command: string,
    known: readonly KnownDifference[],
    seed: number,
  ): Promise<Fuzzer | undefined> {
    if (!await hasTool(command)) return undefined;
    const rows = await tableOf(command, commands[command]?.hidden ?? []);
    return new Fuzzer(command, rows, known, seed);
  }

  /** The case of a seed, before shrinking. */
  makeCase(seed: number): FuzzCase {
    return makeCase(this.#command, this.#rows, seed);
  }

  /** Runs one batch of cases, or the cases of the given seeds; shrinks new findings. */
  async batch(seeds?: readonly number[]): Promise<void> {
    const chosen = seeds ?? Array.from({ length: BATCH }, () => this.#random.int(2 ** 31));
    const cases = chosen.map((seed) => this.makeCase(seed));
    const verdicts = await this.#judge(cases, chosen);
    for (const [i, test] of cases.entries()) await this.#count(test, chosen[i] ?? 0, verdicts[i]);
  }

  /** Runs one case. */
  async check(test: FuzzCase, seed: number): Promise<void> {
    const [verdict] = await this.#judge([test], [seed]);
    await this.#count(test, seed, verdict);
  }

  async #count(test: FuzzCase, seed: number, verdict: Verdict | undefined): Promise<void> {
    this.tally.runs++;
    if (verdict === undefined) {
      this.tally.skipped++;
    } else if (verdict.known !== undefined) {
      const { id } = verdict.known;
      this.tally.known.set(id, (this.tally.known.get(id) ?? 0) + 1);
    } else if (verdict.aspects.length > 0) {
      await this.#found(test, seed, verdict);
    }
  }

  async #found(test: FuzzCase, seed: number, verdict: Verdict): Promise<void> {
    const least = await this.#shrink(test, seed, verdict);
    const shape = least.verdict.aspects.join() +
      argumentsOf(least.test).join(" ").replace(/\d+/g, "N");
    if (this.#shapes.has(shape)) return;
    this.#shapes.add(shape);
    const { aspects, ours, gnu } = least.verdict;
    this.tally.findings.push({
      command: this.#command,
      seed,
      aspects,
      test: least.test,
      ours,
      gnu,
    });
  }

  async #shrink(
    test: FuzzCase,
    seed: number,
    verdict: Verdict,
  ): Promise<{ test: FuzzCase; verdict: Verdict }> {
    const end = Date.now() + SHRINK;
    const words = this.#command !== "sed" || await isConfined();
    let best = { test, verdict };
    for (let again = true; again && Date.now() < end;) {
      again = false;
      const rest = smaller(best.test, words);
      while (Date.now() < end) {
        const candidates = [...take(rest, 24)];
        if (candidates.length === 0) break;
        const verdicts = await this.#judge(candidates, candidates.map(() => seed));
        const i = verdicts.findIndex((each) =>
          each !== undefined && each.known === undefined &&
          each.aspects[0] === best.verdict.aspects[0]
        );
        const [smallest, its] = [candidates[i], verdicts[i]];
        if (smallest === undefined || its === undefined) continue;
        best = { test: smallest, verdict: its };
        again = true;
        break;
      }
    }
    return best;
  }

  async #judge(
    cases: readonly FuzzCase[],
    seeds: readonly number[],
  ): Promise<(Verdict | undefined)[]> {
    const ours = async (): Promise<FuzzOutcome[]> => {
      const outcomes: FuzzOutcome[] = [];
      for (const [i, test] of cases.entries()) {
        outcomes.push(await this.#process.run(test, seeds[i] ?? 0));
      }
      return outcomes;
    };
    const [mine, theirs] = await Promise.all([ours(), runGnuCases(cases)]);
    return cases.map((test, i) => {
      const [a, b] = [mine[i], theirs[i]];
      if (a === undefined || b === undefined) return undefined;
      const aspects = differences(test, a, b);
      if (aspects === undefined) return undefined;
      const known = aspects.length === 0 ? undefined : findKnown(this.#known, test, aspects, a, b);
      return { aspects, known, ours: a, gnu: b };
    });
  }

  /** Ends our side's process. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#process[Symbol.asyncDispose]();
  }
}

function* take<T>(items: Iterator<T>, count: number): Generator<T> {
  for (let i = 0; i < count; i++) {
    const { done, value } = items.next();
    if (done === true) return;
    yield value;
  }
}

/** A finding as text: the differences, a command line for a shell, and the way to reproduce it. */
export function report({ command, seed, aspects, test, ours, gnu }: Finding): string {
  return `${command}: ${aspects.join(", ")}\n  ${oneLiner(test)}\n${describe(test, ours, gnu)}\n` +
    `  deno run -A tests/fuzz/main.ts --case ${command} ${seed}`;
}
