import type { Regex } from "./regex.ts";

/** Searches as {@linkcode Regex.exec} does; without `groups` it returns `[start0, end0]` only. */
export type RegexSearch = (
  bytes: Uint8Array,
  start: number,
  end: number,
  from: number,
  fresh: boolean,
  groups: boolean,
) => Int32Array | null;

/** The properties of a regular expression. A wrapper passes on those of the wrapped one. */
export type RegexFacts = Pick<Regex, "groups" | "warnings" | "backReferences" | "steps">;

/** The part of a {@linkcode Regex} that selects lines of a block. */
export type RegexLines = Pick<Regex, "matchingLines" | "likelyLines">;

/**
 * A {@linkcode Regex} built from its primitives: `test`, one search, and the selection of lines.
 */
export abstract class BaseRegex implements Regex {
  /** See {@linkcode Regex.groups}. */
  readonly groups: number;
  /** See {@linkcode Regex.warnings}. */
  readonly warnings: readonly string[];
  /** See {@linkcode Regex.backReferences}. */
  readonly backReferences: boolean;
  /** Searches for the first match. */
  protected abstract readonly search: RegexSearch;
  /** Selects lines; may belong to another regular expression. */
  protected abstract readonly lines: RegexLines;
  readonly #facts: RegexFacts;

  /** Reads `steps` from `facts` at each access, the other properties once. */
  constructor(facts: RegexFacts) {
    this.#facts = facts;
    this.groups = facts.groups;
    this.warnings = facts.warnings;
    this.backReferences = facts.backReferences;
  }

  /** See {@linkcode Regex.steps}. */
  get steps(): number {
    return this.#facts.steps;
  }

  /** See {@linkcode Regex.test}. */
  abstract test(bytes: Uint8Array, start: number, end: number): boolean;

  /** See {@linkcode Regex.find}. */
  readonly find: Regex["find"] = (bytes, start, end, from = start, fresh = from === start) =>
    this.search(bytes, start, end, from, fresh, false);

  /** See {@linkcode Regex.exec}. */
  readonly exec: Regex["exec"] = (bytes, start, end, from = start, fresh = from === start) =>
    this.search(bytes, start, end, from, fresh, true);

  /** See {@linkcode Regex.matchingLines}. */
  readonly matchingLines: Regex["matchingLines"] = (block, start, end, separator, invert) =>
    this.lines.matchingLines(block, start, end, separator, invert);

  /** See {@linkcode Regex.likelyLines}. */
  readonly likelyLines: Regex["likelyLines"] = (block, start, end, separator) =>
    this.lines.likelyLines(block, start, end, separator);
}
