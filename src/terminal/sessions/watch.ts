import type { TerminalFacts } from "./facts.ts";
import { agree, judge, UNKNOWN, type Verdict, type WatchedProgram } from "./waiting.ts";

/** Milliseconds between two equal verdicts that count: for a prompt of the shell, and otherwise. */
const APART = { prompt: 40, other: 80 };

/** A verdict, with its time and the bytes of output before it. */
interface Look {
  readonly verdict: Verdict;
  readonly bytes: number;
  readonly at: number;
}

/** Judges a terminal repeatedly, until two verdicts agree. */
export class Watch {
  readonly #program: WatchedProgram;
  #first: Look | undefined;
  /** The last verdict that counts. */
  verdict: Verdict = UNKNOWN;
  /** The last verdict, even if it does not count. */
  seen: Verdict = UNKNOWN;

  constructor(program: WatchedProgram) {
    this.#program = program;
  }

  /** Forgets earlier looks, because input was sent. */
  forget(): void {
    this.#first = undefined;
  }

  /**
   * Judges the facts; returns the verdict if it counts now.
   *
   * `taken`: bytes of output that were read until now; `silence`: milliseconds since the last input
   * or output.
   */
  look(facts: TerminalFacts, taken: number, silence: number): Verdict | undefined {
    const now = performance.now();
    const verdict = judge(facts, this.#program, silence);
    this.seen = verdict;
    const look = { verdict, bytes: facts.bytes, at: now };
    const { bytes } = facts;
    const first = this.#first;
    if (first === undefined || first.bytes !== bytes || !agree(first.verdict, verdict)) {
      this.#first = look;
      return undefined;
    }
    if (bytes !== taken || facts.busy) return undefined;
    if (now - first.at < (verdict.atPrompt ? APART.prompt : APART.other)) return undefined;
    this.verdict = verdict;
    return verdict;
  }
}
