import {
  type Address,
  type RangeEnd,
  RangeState,
  type SedCommand,
  type SedRegex,
} from "./program.ts";
import { SedError } from "./script.ts";
import type { Space } from "../../text/mod.ts";

/** The current position in the input, which addresses are compared with. */
export interface LinePosition {
  /** Number of the current line, from 1. */
  readonly line: number;
  /** True if another line follows; known if an address needs it. */
  readonly more: boolean | undefined;
  /** True if an address has used {@linkcode more}. */
  asked: boolean;
}

/** Decides if commands are selected; remembers the last regular expression used. */
export class Selector {
  #last: SedRegex | undefined;
  readonly #place: string;

  /** Creates a selector; `place` is for messages. */
  constructor(place: string) {
    this.#place = place;
  }

  /** The regular expression to use: the given one, or the last one. */
  resolve(regex: SedRegex | undefined): SedRegex {
    if (regex !== undefined) return this.#last = regex;
    if (this.#last === undefined) {
      throw new SedError(`${this.#place}: no previous regular expression`);
    }
    return this.#last;
  }

  /** True if the addresses need to know whether another line follows. */
  looksAhead({ from, to, range }: SedCommand, position: LinePosition, space: Space): boolean {
    if (to !== undefined && range === RangeState.active) return to.type === "last";
    if (from === undefined || from.type === "last") return from !== undefined;
    if (to?.type !== "last") return false;
    return from.type === "line"
      ? range !== RangeState.closed && position.line >= from.line
      : this.#matches(from, position, space);
  }

  /** True if the addresses of `command` select the current line. */
  selects(command: SedCommand, position: LinePosition, space: Space): boolean {
    const { from, to } = command;
    if (from === undefined) return true;
    if (to === undefined) return this.#matches(from, position, space);
    if (command.range === RangeState.active) return this.#continues(command, to, position, space);
    return this.#begins(command, from, to, position, space);
  }

  #begins(
    command: SedCommand,
    from: Address,
    to: RangeEnd,
    position: LinePosition,
    space: Space,
  ): boolean {
    const { line } = position;
    if (from.type === "line") {
      // Lines may be skipped (n, N): a range may begin late, but only once.
      if (command.range === RangeState.closed || line < from.line) return false;
    } else if (!this.#matches(from, position, space)) {
      return false;
    }
    let ends = false;
    switch (to.type) {
      case "line":
        if (to.line < line && from.type === "line" && line !== from.line) {
          command.range = RangeState.closed;
          return false;
        }
        command.rangeEnd = to.line;
        ends = to.line <= line;
        break;
      case "plus":
        command.rangeEnd = line + to.count;
        break;
      case "multiple":
        command.rangeEnd = (Math.floor(line / to.count) + 1) * to.count;
        break;
      case "last":
      case "step":
        ends = this.#matches(to, position, space);
        break;
    }
    command.range = ends ? RangeState.closed : RangeState.active;
    return true;
  }

  #continues(command: SedCommand, to: RangeEnd, position: LinePosition, space: Space): boolean {
    const { line } = position;
    switch (to.type) {
      case "line":
        if (line >= command.rangeEnd) command.range = RangeState.closed;
        return line <= command.rangeEnd;
      case "plus":
      case "multiple":
        // Even a line after the end is selected, if the line at the end was skipped.
        if (line >= command.rangeEnd) command.range = RangeState.closed;
        return true;
      default:
        if (this.#matches(to, position, space)) command.range = RangeState.closed;
        return true;
    }
  }

  #matches(address: Address, position: LinePosition, space: Space): boolean {
    switch (address.type) {
      case "line":
        // Line 0, which only r may have, selects line 1.
        return position.line === (address.line || 1);
      case "step":
        return position.line >= address.first &&
          (position.line - address.first) % address.step === 0;
      case "last":
        position.asked = true;
        return position.more === false;
      case "regex":
        return this.resolve(address.regex).regex.test(space.bytes, space.start, space.end);
    }
  }
}
