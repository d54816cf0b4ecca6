import type { Chunk } from "../../../streams/mod.ts";
import type { FieldCut } from "./field_cut.ts";
import { blocksOf, HeldBytes, type Storage } from "../../hold/mod.ts";
import { Output } from "../../text/mod.ts";

/**
 * Cuts fields out of lines that arrive in pieces, without holding a line in memory.
 *
 * If printing the first field depends on a second one, the first is kept until that is known, in
 * temporary storage if it is long.
 */
export class FieldPieces {
  readonly #cut: FieldCut;
  readonly #storage: Storage;
  readonly #out = new Output();
  /** True if the delimiters in the output are the same as in the input. */
  readonly #verbatim: boolean;
  /** True if the first field is printed, and if that depends on the existence of a second one. */
  readonly #firstShown: boolean;
  readonly #firstWaits: boolean;
  #first: HeldBytes | undefined;
  /** The number of the current field, and the index of its range or the next one. */
  #field = 1;
  #range = 0;
  /**
   * True if the current field is printed, if a field of the line was printed, and if the field is
   * empty.
   */
  #shown = false;
  #printed = false;
  #empty = true;

  /** Starts with a new line. */
  constructor(cut: FieldCut, storage: Storage) {
    this.#cut = cut;
    this.#storage = storage;
    this.#verbatim = cut.between.length === 1 && cut.between[0] === cut.delimiter;
    this.#firstShown = cut.ranges[0]?.from === 1;
    this.#firstWaits = cut.suppress === this.#firstShown;
    this.#begin();
  }

  /** Returns the collected output. */
  *flush(): Generator<Chunk, void, void> {
    if (this.#out.length > 0) yield this.#out.take();
  }

  /**
   * Cuts a piece of a line, without its separator.
   *
   * @throws {LimitError} If a first field is too long and there is no temporary storage.
   */
  async *add(piece: Chunk): AsyncGenerator<Chunk, void, void> {
    const { delimiter, between } = this.#cut;
    for (let at = 0; at < piece.length;) {
      if (this.#field > 1 && this.#staysSo()) {
        this.#empty = false;
        if (this.#shown) yield* this.#put(piece.subarray(at));
        return;
      }
      const found = piece.indexOf(delimiter, at);
      const text = piece.subarray(at, found < 0 ? piece.length : found);
      if (text.length > 0) {
        this.#empty = false;
        if (this.#field === 1 && this.#firstWaits) await this.#keep(text);
        else if (this.#shown) yield* this.#put(text);
      }
      if (found < 0) return;
      if (this.#field === 1 && this.#firstWaits) yield* this.#release(this.#firstShown);
      this.#goTo(this.#field + 1);
      if (this.#shown && this.#printed) yield* this.#put(between);
      this.#printed ||= this.#shown;
      at = found + 1;
    }
  }

  /** Ends the line; `terminated` is true if it had a separator. */
  async *end(terminated: boolean): AsyncGenerator<Chunk, void, void> {
    const { separator, suppress } = this.#cut;
    const delimited = this.#field > 1;
    if (!delimited && this.#firstWaits) yield* this.#release(!suppress);
    // GNU `cut -z` does not terminate a last line with two fields, the second of them empty.
    const forgotten = separator === 0 && !terminated && this.#field === 2 && this.#empty &&
      suppress === this.#firstShown;
    if ((delimited || !suppress) && !forgotten) yield* this.#put(Uint8Array.of(separator));
    this.#begin();
  }

  #begin(): void {
    this.#range = 0;
    this.#goTo(1);
    this.#printed = this.#shown;
  }

  #goTo(field: number): void {
    const { ranges } = this.#cut;
    while (field > (ranges[this.#range]?.to ?? Infinity)) this.#range++;
    this.#field = field;
    this.#shown = field >= (ranges[this.#range]?.from ?? Infinity);
    this.#empty = true;
  }

  /** True if the rest of the line is printed unchanged or not at all. */
  #staysSo(): boolean {
    const range = this.#cut.ranges[this.#range];
    return range === undefined || (this.#shown && this.#verbatim && range.to === Infinity);
  }

  *#put(text: Chunk): Generator<Chunk, void, void> {
    if (!this.#out.put(text)) yield* this.#out.spill(text);
  }

  async #keep(text: Chunk): Promise<void> {
    this.#first ??= new HeldBytes(this.#storage);
    if (!this.#first.put(text)) await this.#first.add(text);
  }

  /** Prints or drops the first field. */
  async *#release(shown: boolean): AsyncGenerator<Chunk, void, void> {
    if (this.#first === undefined) return;
    const held = await this.#first.finish();
    this.#first = undefined;
    if (shown) { for await (const block of blocksOf(held)) yield* this.#put(block); }
    await held.close();
    await this.#storage.release();
  }
}
