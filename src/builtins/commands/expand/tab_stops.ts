import { InvalidArgument, toCount, UINTMAX } from "../../core/mod.ts";
import { quote } from "../../text/mod.ts";

/** Collects the tab stops from the options of `expand` and `unexpand`. */
export class TabStops {
  readonly #stops: bigint[] = [];
  #every: bigint | undefined;
  #after: bigint | undefined;
  #problems: string[] = [];

  /** Adds one stop. */
  add(stop: bigint): void {
    this.#stops.push(stop);
  }

  /**
   * Adds a list such as `4,8`, `4 /8` or `4,+8`.
   *
   * @throws {InvalidArgument} With GNU's messages.
   */
  addList(list: string): void {
    // A prefix applies to all numbers after it in the list.
    let prefix = "";
    for (let rest = list; rest !== "";) {
      const [, before = "", digits = ""] = /^([^0-9, \t]?)(\d*)/.exec(rest) ?? [];
      if (before === "/" || before === "+") prefix = before;
      else if (before !== "") {
        this.#problem(`tab size contains invalid character(s): ${quote(rest)}`);
        break;
      }
      rest = rest.slice(before.length);
      if (digits !== "") {
        rest = rest.slice(digits.length);
        if (rest.startsWith("/") || rest.startsWith("+")) {
          this.#problem(`'${rest[0]}' specifier not at start of number: ${quote(rest)}`);
          prefix = rest.slice(0, 1);
          rest = rest.slice(1);
        }
        const value = BigInt(digits);
        if (value > UINTMAX) this.#problem(`tab stop is too large ${quote(digits)}`);
        else if (!/^[^, \t]/.test(rest)) this.#number(value, prefix);
      } else if (before === "") {
        rest = rest.slice(1);
      }
    }
    if (this.#problems.length > 0) {
      // Each message stands on a line of its own.
      throw new TabListError(this.#problems);
    }
  }

  #number(value: bigint, prefix: string): void {
    if (prefix === "") {
      this.#stops.push(value);
    } else if (prefix === "/") {
      if (this.#every) this.#problem("'/' specifier only allowed with the last value");
      this.#every = value;
    } else {
      if (this.#after) this.#problem("'+' specifier only allowed with the last value");
      this.#after = value;
    }
  }

  #problem(message: string): void {
    this.#problems.push(message);
  }

  /**
   * Returns the tab stops.
   *
   * @throws {InvalidArgument} With GNU's messages.
   */
  finish(): TabColumns {
    let last = 0n;
    for (const stop of this.#stops) {
      if (stop === 0n) throw new InvalidArgument("tab size cannot be 0");
      if (stop <= last) throw new InvalidArgument("tab sizes must be ascending");
      last = stop;
    }
    const every = this.#every ?? 0n;
    const after = this.#after ?? 0n;
    if (every > 0n && after > 0n) {
      throw new InvalidArgument("'/' specifier is mutually exclusive with '+'");
    }
    const [first, second] = this.#stops;
    if (first === undefined) return new TabColumns([], toCount(every || after || 8n), 0);
    if (second === undefined && every === 0n && after === 0n) {
      return new TabColumns([], toCount(first), 0);
    }
    const stops = this.#stops.map(toCount);
    return after > 0n
      ? new TabColumns(stops, toCount(after), toCount(last))
      : new TabColumns(stops, toCount(every), 0);
  }
}

/** Several errors in one list. */
export class TabListError extends InvalidArgument {
  /** The messages, in order. */
  readonly messages: readonly string[];

  /** Creates the error. */
  constructor(messages: readonly string[]) {
    super(messages[0]);
    this.messages = messages;
  }
}

/** The columns of tab stops. */
export class TabColumns {
  readonly #stops: readonly number[];
  /** Distance of the stops after the listed ones (0: none), and the column that it counts from. */
  readonly #size: number;
  readonly #origin: number;

  /** Used by {@linkcode TabStops}. */
  constructor(stops: readonly number[], size: number, origin: number) {
    this.#stops = stops;
    this.#size = size;
    this.#origin = origin;
  }

  /** The next stop after a column; -1 if there is none. */
  next(column: number): number {
    if (this.#stops.length > 0 && column < (this.#stops.at(-1) ?? 0)) {
      for (const stop of this.#stops) if (column < stop) return stop;
    }
    const size = this.#size;
    if (size === 0) return -1;
    return column + size - (column - this.#origin) % size;
  }
}
