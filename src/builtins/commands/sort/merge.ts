import type { ByteSource, Chunk } from "../../../streams/mod.ts";
import { LineReader, Output } from "../../text/mod.ts";
import { KeyBuffer } from "./encode.ts";
import type { SortPlan } from "./plan.ts";

/** A line with the keys by which it is compared. */
export class Head {
  text: Chunk = new Uint8Array(0);
  start = 0;
  /** End of the line, without its separator. */
  end = 0;
  /** Bytes, start and end of the key for each criterion. */
  readonly #bytes: Uint8Array[] = [];
  readonly #begin: number[] = [];
  readonly #end: number[] = [];
  readonly #keys = new KeyBuffer();
  readonly #plan: SortPlan;
  #own: Chunk = new Uint8Array(256);

  constructor(plan: SortPlan) {
    this.#plan = plan;
  }

  /** Takes a line in `text`, which is lent. */
  load(text: Chunk, start: number, end: number): void {
    this.text = text;
    this.start = start;
    this.end = end;
    const keys = this.#keys;
    keys.length = 0;
    const { criteria } = this.#plan;
    for (let i = 0; i < criteria.length; i++) {
      const { locate, encode } = criteria[i] as SortPlan["criteria"][number];
      let [from, to] = [start, end];
      if (locate !== undefined) {
        locate.find(text, start, end);
        [from, to] = [locate.begin, locate.end];
      }
      this.#bytes[i] = text;
      if (encode !== undefined) {
        const at = keys.length;
        encode(text, from, to, keys);
        [from, to] = [at, keys.length];
      }
      this.#begin[i] = from;
      this.#end[i] = to;
    }
    // The buffer may have moved while it grew.
    for (let i = 0; i < criteria.length; i++) {
      if (criteria[i]?.encode !== undefined) this.#bytes[i] = keys.bytes;
    }
  }

  /** Takes a copy of another head's line. */
  copy(other: Head): void {
    const length = other.end - other.start;
    if (this.#own.length < length) this.#own = new Uint8Array(length * 2);
    this.#own.set(other.text.subarray(other.start, other.end));
    this.load(this.#own, 0, length);
  }

  /** Compares by the first `count` criteria. */
  compare(other: Head, count: number = this.#plan.criteria.length): number {
    for (let i = 0; i < count; i++) {
      const result = compareStrings(
        this.#bytes[i] as Uint8Array,
        this.#begin[i] as number,
        this.#end[i] as number,
        other.#bytes[i] as Uint8Array,
        other.#begin[i] as number,
        other.#end[i] as number,
      );
      if (result !== 0) return this.#plan.criteria[i]?.reverse === true ? -result : result;
    }
    return 0;
  }
}

function compareStrings(
  a: Uint8Array,
  i: number,
  endA: number,
  b: Uint8Array,
  j: number,
  endB: number,
): number {
  const lengthA = endA - i;
  const lengthB = endB - j;
  const stop = i + Math.min(lengthA, lengthB);
  for (; i < stop; i++, j++) {
    const difference = (a[i] as number) - (b[j] as number);
    if (difference !== 0) return difference;
  }
  return lengthA - lengthB;
}

/** The lines of a source, one after another. */
export class LineStream {
  /** The current line. */
  head: Head;
  readonly #reader: LineReader;
  readonly #separator: number;
  #block: Chunk = new Uint8Array(0);
  #next = 0;

  constructor(source: ByteSource, separator: number, plan: SortPlan) {
    this.#reader = new LineReader(source, separator);
    this.#separator = separator;
    this.head = new Head(plan);
  }

  /** Goes to the next line of the current block; returns false if there is none. */
  advance(): boolean {
    const start = this.#next;
    if (start >= this.#block.length) return false;
    const found = this.#block.indexOf(this.#separator, start);
    const end = found < 0 ? this.#block.length : found;
    this.#next = end + 1;
    this.head.load(this.#block, start, end);
    return true;
  }

  /**
   * Goes to the first line of the next block; returns false at the end. The last block becomes
   * invalid.
   */
  async refill(): Promise<boolean> {
    this.#block = await this.#reader.next() ?? new Uint8Array(0);
    this.#next = 0;
    return this.advance();
  }
}

/**
 * Merges sorted sources. Equal lines come in the order of their sources; with `unique`, only the
 * first comes. Does not close the sources.
 */
export async function* mergeSorted(
  sources: readonly ByteSource[],
  plan: SortPlan,
  separator: number,
  unique: boolean,
): AsyncGenerator<Chunk, void, void> {
  const out = new Output();
  const end = Uint8Array.of(separator);
  const heap = new MergeHeap();
  for (const [rank, source] of sources.entries()) {
    const stream = new LineStream(source, separator, plan);
    if (await stream.refill()) heap.push({ stream, rank });
  }
  let last: Head | undefined;
  for (let first = heap.first; first !== undefined; first = heap.first) {
    const { head } = first.stream;
    if (!unique || last === undefined || last.compare(head, plan.identity) !== 0) {
      const { text, start } = head;
      if (text[head.end] === separator && head.end < text.length) {
        if (!out.put(text, start, head.end + 1)) yield* out.spill(text, start, head.end + 1);
      } else {
        yield* out.spill(text, start, head.end);
        if (!out.put(end)) yield* out.spill(end);
      }
      if (unique) (last ??= new Head(plan)).copy(head);
    }
    if (first.stream.advance() || await first.stream.refill()) heap.sinkFirst();
    else heap.dropFirst();
  }
  if (out.length > 0) yield out.take();
}

interface MergeInput {
  readonly stream: LineStream;
  readonly rank: number;
}

/** Heap of the inputs; the one with the smallest line is first. */
class MergeHeap {
  readonly #items: MergeInput[] = [];

  get first(): MergeInput | undefined {
    return this.#items[0];
  }

  push(item: MergeInput): void {
    const items = this.#items;
    let at = items.push(item) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!less(item, items[parent] as MergeInput)) break;
      items[at] = items[parent] as MergeInput;
      at = parent;
    }
    items[at] = item;
  }

  dropFirst(): void {
    const last = this.#items.pop();
    if (last === undefined || this.#items.length === 0) return;
    this.#items[0] = last;
    this.sinkFirst();
  }

  /** Moves the first input to its position after its line has changed. */
  sinkFirst(): void {
    const items = this.#items;
    const item = items[0] as MergeInput;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= items.length) break;
      if (
        child + 1 < items.length && less(items[child + 1] as MergeInput, items[child] as MergeInput)
      ) {
        child++;
      }
      if (!less(items[child] as MergeInput, item)) break;
      items[at] = items[child] as MergeInput;
      at = child;
    }
    items[at] = item;
  }
}

function less(a: MergeInput, b: MergeInput): boolean {
  const result = a.stream.head.compare(b.stream.head);
  return result < 0 || (result === 0 && a.rank < b.rank);
}
