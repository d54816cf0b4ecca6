import type { Regex } from "../regex/mod.ts";
import type { Chunk } from "../streams/mod.ts";
import type { LineCursor } from "./sed_input.ts";
import type { SedOutput } from "./sed_output.ts";
import type { SedOptions, SedProgram, Substitution } from "./sed_program.ts";
import { replaceMatches } from "./sed_substituter.ts";
import { Space } from "./_space.ts";

/** Bytes that are worked on at a time. */
const PIECE = 64 * 1024;

interface Step {
  readonly regex: Regex;
  readonly substitution: Substitution;
}

/**
 * Runs a script of nothing but `s` over whole blocks: what is between two matches is copied at
 * once, however many lines it is.
 */
export class BlockSubstituter {
  readonly #steps: readonly Step[];
  readonly #separator: number;
  readonly #between = [new Space(4096), new Space(4096)] as const;

  private constructor(steps: readonly Step[], separator: number) {
    this.#steps = steps;
    this.#separator = separator;
  }

  /** Makes one, or gives `undefined` where lines must be taken one by one. */
  static of(program: SedProgram, options: SedOptions): BlockSubstituter | undefined {
    if (options.quiet || program.silent || program.commands.length === 0) return undefined;
    const steps: Step[] = [];
    for (const { name, from, substitution } of program.commands) {
      if (name !== "s" || from !== undefined || substitution?.regex === undefined) return undefined;
      const { regex: { regex }, replacement, print, output } = substitution;
      // Behind a replacement with a line end there is more than a line in the pattern space.
      const breaks = replacement.parts.some((part) =>
        part.type === "text" && part.bytes.includes(options.separator)
      );
      if (print || output >= 0 || breaks && program.commands.length > 1) return undefined;
      if (replacement.groups > regex.groups && !options.posix) return undefined;
      steps.push({ regex, substitution });
    }
    return new BlockSubstituter(steps, options.separator);
  }

  /** Works on lines at hand; says whether there were any. */
  run(cursor: LineCursor, output: SedOutput): boolean {
    if (!cursor.ready) return false;
    const { block, at } = cursor;
    const separator = this.#separator;
    const nominal = at + PIECE;
    const found = nominal < block.length ? block.indexOf(separator, nominal) : -1;
    const stop = found < 0 ? block.length : found + 1;
    const complete = block[stop - 1] === separator;
    let bytes = block;
    let start = at;
    let end = stop;
    const last = this.#steps.length - 1;
    for (let i = 0; i < last; i++) {
      const into = this.#between[i & 1] as Space;
      into.clear();
      this.#step(this.#steps[i] as Step, bytes, start, end, into);
      ({ bytes, start, end } = into);
    }
    this.#step(this.#steps[last] as Step, bytes, start, end, output.begin());
    output.ended(complete);
    cursor.at = stop;
    return true;
  }

  #step(
    { regex, substitution }: Step,
    bytes: Chunk,
    start: number,
    end: number,
    into: Space,
  ): void {
    const separator = this.#separator;
    const { spans, length, places } = regex.likelyLines(bytes, start, end, separator);
    let done = start;
    for (let i = 0; i < length; i += 2) {
      const line = spans[i] as number;
      const next = spans[i + 1] as number;
      const stop = bytes[next - 1] === separator ? next - 1 : next;
      const place = places === undefined ? line : places[i >> 1] as number;
      const text = { bytes, start: line, end: stop };
      const upTo = replaceMatches(into, text, regex, substitution, place, done);
      if (upTo >= 0) done = upTo;
    }
    into.append(bytes, done, end);
  }
}
