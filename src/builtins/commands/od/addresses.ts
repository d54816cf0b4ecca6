import type { LineOutput } from "../../text/mod.ts";
import type { OdSettings } from "./options.ts";

/** Writes the addresses of `od`. */
export class Addresses {
  readonly #radix: OdSettings["radix"];
  readonly #label: number | undefined;
  readonly #start: number;
  /** Columns of an address, or of the first of two. */
  readonly width: number;

  /** Takes the base of addresses, the second address of the first byte, and where that is. */
  constructor({ radix, label, skip }: OdSettings) {
    this.#radix = radix;
    this.#label = label;
    this.#start = skip;
    this.width = radix === 0 ? 0 : radix === 16 ? 6 : 7;
  }

  /** Whether there are any. */
  get any(): boolean {
    return this.#radix !== 0 || this.#label !== undefined;
  }

  /** Puts an address out. */
  put(out: LineOutput, address: number): void {
    if (this.#label === undefined) {
      if (this.#radix !== 0) out.putNumber(address, this.width, 48, this.#radix);
      return;
    }
    const second = address - this.#start + this.#label;
    out.putText(
      this.#radix === 0 ? `(${octal(second)})` : `${this.#one(address)} (${this.#one(second)})`,
    );
  }

  #one(address: number): string {
    return address.toString(this.#radix).padStart(this.width, "0");
  }
}

function octal(value: number): string {
  return value.toString(8).padStart(7, "0");
}
