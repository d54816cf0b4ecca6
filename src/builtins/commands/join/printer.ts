import { JoinFields } from "./fields.ts";
import { BLANK, type JoinLine } from "./lines.ts";
import type { JoinSettings } from "./options.ts";
import type { LineOutput } from "../../text/mod.ts";

/**
 * Prints pairs of lines.
 *
 * Generators yield whenever the output is full, because the output for a line may be longer than
 * the line.
 */
export class JoinPrinter {
  /** With `-o auto`, the number of fields printed of each file. */
  counts: readonly [number, number] | undefined;
  readonly #settings: JoinSettings;
  readonly #out: LineOutput;
  readonly #between: number;
  readonly #fields: readonly [JoinFields, JoinFields];

  /** Prints to `out`. */
  constructor(settings: JoinSettings, out: LineOutput) {
    this.#settings = settings;
    this.#out = out;
    this.#between = settings.tab === -2 ? 10 : settings.tab < 0 ? 32 : settings.tab;
    this.#fields = [new JoinFields(settings.tab), new JoinFields(settings.tab)];
  }

  /** Sets the number of printed fields from the first lines. */
  countFields(left: JoinLine | undefined, right: JoinLine | undefined): void {
    const [count, other] = [left, right].map((line, file) => {
      const fields = this.#fields[file === 0 ? 0 : 1];
      fields.begin(line?.bytes ?? BLANK.bytes);
      let found = 0;
      while (fields.next()) found++;
      return found;
    });
    this.counts = [count ?? 0, other ?? 0];
  }

  /** Prints two matching lines, or one with {@linkcode BLANK}. */
  *print(left: JoinLine, right: JoinLine): Generator<void, void, void> {
    const { output, fields, separator } = this.#settings;
    const out = this.#out;
    if (output !== undefined) {
      for (let i = 0; i < output.length; i++) {
        const { file = 0, field = 0 } = output[i] ?? {};
        if (i > 0) out.putByte(this.#between);
        if (file === 0) this.#key(left, right);
        else this.#field(file === 1 ? left : right, file === 1 ? 0 : 1, field);
        if (out.full) yield;
      }
    } else {
      this.#key(left, right);
      yield* this.#others(left, 0, fields[0]);
      yield* this.#others(right, 1, fields[1]);
    }
    out.putByte(separator);
  }

  #key(left: JoinLine, right: JoinLine): void {
    const { bytes, keyStart, keyEnd } = left === BLANK ? right : left;
    this.#put(bytes, keyStart, keyEnd);
  }

  #field(line: JoinLine, file: 0 | 1, field: number): void {
    const fields = this.#fields[file];
    if (fields.find(line.bytes, field)) this.#put(line.bytes, fields.start, fields.end);
    else this.#put(line.bytes, 0, 0);
  }

  #put(bytes: Uint8Array, start: number, end: number): void {
    if (end > start) this.#out.put(bytes, start, end);
    else if (this.#settings.empty !== undefined) this.#out.put(this.#settings.empty);
  }

  *#others(line: JoinLine, file: 0 | 1, key: number): Generator<void, void, void> {
    const out = this.#out;
    const fields = this.#fields[file];
    const count = this.counts?.[file] ?? Infinity;
    fields.begin(line.bytes);
    for (let field = 0; field < count; field++) {
      const found = fields.next();
      if (!found && count === Infinity) return;
      if (field === key) continue;
      out.putByte(this.#between);
      if (found) this.#put(line.bytes, fields.start, fields.end);
      else this.#put(line.bytes, 0, 0);
      if (out.full) yield;
    }
  }
}
