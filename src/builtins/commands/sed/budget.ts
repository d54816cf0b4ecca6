import type { Regex } from "../../../regex/mod.ts";
import type { SedCommand } from "./program.ts";

/**
 * Commands between two turns of the event loop. For each 256 bytes of pattern space a command
 * counts once more.
 */
const BUDGET = 50_000;
/** This many steps of a search with back-references count as one command. */
const STEPS = 8;

/** Counts the cost of commands, to know when the event loop has to turn. */
export class Budget {
  #left = BUDGET;
  /** Regular expressions with back-references, and the steps that they had taken. */
  readonly #referring: readonly Regex[];
  #steps = 0;

  /** Makes the budget of a program. */
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

  /** Whether it is used up; then it is filled again. */
  spent(): boolean {
    if (this.#left > 0) return false;
    this.#left = BUDGET;
    return true;
  }

  /** Subtracts the cost of a command on a pattern space of this many bytes. */
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
