import type { Regex } from "../../../regex/mod.ts";
import type { SedCommand } from "./program.ts";

/**
 * Cost of the commands between two turns of the event loop. A command costs 1, and 1 more for each
 * 256 bytes of pattern space.
 */
const BUDGET = 50_000;
/** Steps of a search with back-references that cost as much as one command. */
const STEPS = 8;

/** Counts the cost of commands to decide when the event loop must turn. */
export class Budget {
  #left = BUDGET;
  /** Regular expressions with back-references, and the sum of their steps. */
  readonly #referring: readonly Regex[];
  #steps = 0;

  /** Creates the budget of a program. */
  constructor(commands: readonly SedCommand[]) {
    this.#referring = commands
      .flatMap(({ from, to, substitution }) => [
        from?.type === "regex" ? from.regex?.regex : undefined,
        to?.type === "regex" ? to.regex?.regex : undefined,
        substitution?.regex?.regex,
      ])
      .filter((regex) => regex !== undefined)
      .filter((regex) => regex.backReferences);
  }

  /** True if the budget is used up, which also refills it. */
  spent(): boolean {
    if (this.#left > 0) return false;
    this.#left = BUDGET;
    return true;
  }

  /** Subtracts the cost of a command on a pattern space of `length` bytes. */
  take(length: number): void {
    this.#left -= 1 + (length >> 8);
    if (this.#referring.length > 0) this.#takeSteps();
  }

  /** Subtracts the cost of back-references since the last call. */
  #takeSteps(): void {
    let steps = 0;
    for (const regex of this.#referring) steps += regex.steps;
    this.#left -= Math.floor((steps - this.#steps) / STEPS);
    this.#steps = steps;
  }
}
