import type { Regex } from "../../../regex/mod.ts";
import type { Command } from "./program.ts";

/** Commands between two turns of the event loop; one on 256 bytes more counts for two. */
const BUDGET = 50_000;
/** So many steps of a search with back-references count for a command. */
const STEPS = 8;

/** Counts what commands cost, to tell when the event loop has to turn. */
export class Budget {
  #left = BUDGET;
  /** Regular expressions with back-references, and the steps that they had taken. */
  readonly #referring: readonly Regex[];
  #steps = 0;

  /** Makes the budget of a program. */
  constructor(commands: readonly Command[]) {
    this.#referring = commands
      .flatMap(({ from, to, substitution }) => [
        from?.type === "regex" ? from.regex?.regex : undefined,
        to?.type === "regex" ? to.regex?.regex : undefined,
        substitution?.regex?.regex,
      ])
      .filter((regex) => regex !== undefined)
      .filter((regex) => regex.backReferences);
  }

  /** Whether it is spent; then it begins anew. */
  spent(): boolean {
    if (this.#left > 0) return false;
    this.#left = BUDGET;
    return true;
  }

  /** Takes what a command on a pattern space of so many bytes costs. */
  take(length: number): void {
    this.#left -= 1 + (length >> 8);
    if (this.#referring.length > 0) this.#takeSteps();
  }

  /** Takes what back-references have cost since the last time. */
  #takeSteps(): void {
    let steps = 0;
    for (const regex of this.#referring) steps += regex.steps;
    this.#left -= Math.floor((steps - this.#steps) / STEPS);
    this.#steps = steps;
  }
}
