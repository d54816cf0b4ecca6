import type { ByteSource, Chunk } from "../../../streams/mod.ts";
import { compareBytes, KeptLine, LineCursor } from "../../text/mod.ts";
import { Head, LineStream } from "./merge.ts";
import { isPlain, type SortPlan } from "./plan.ts";

/** The first line that is out of order. */
export interface Disorder {
  /** Its number, from 1. */
  readonly number: number;
  readonly line: string;
}

/** Finds the first line that sorts before the one above it or, with `unique`, equals it. */
export async function checkSorted(
  source: ByteSource,
  plan: SortPlan,
  separator: number,
  unique: boolean,
): Promise<Disorder | undefined> {
  if (isPlain(plan)) {
    return await checkLines(source, separator, plan.criteria[0]?.reverse === true, unique);
  }
  const stream = new LineStream(source, separator, plan);
  if (!await stream.refill()) return undefined;
  let before = new Head(plan);
  for (let number = 2;; number++) {
    [before, stream.head] = [stream.head, before];
    if (!stream.advance()) {
      // refill() makes the block with the line invalid.
      before.copy(before);
      if (!await stream.refill()) return undefined;
    }
    const { head } = stream;
    const order = unique ? before.compare(head, plan.identity) : before.compare(head);
    if (order > 0 || (unique && order === 0)) {
      return { number, line: textOf(head.text, head.start, head.end) };
    }
  }
}

/** Does the same if whole lines are compared byte by byte. */
async function checkLines(
  source: ByteSource,
  separator: number,
  reverse: boolean,
  unique: boolean,
): Promise<Disorder | undefined> {
  const cursor = new LineCursor(source, separator);
  if (!await cursor.fill()) return undefined;
  const least = unique ? 1 : 0;
  const kept = new KeptLine();
  for (let number = 2;; number++) {
    let { bytes: before, start, end } = cursor;
    if (!cursor.step()) {
      // fill() makes the block with the line invalid.
      kept.keep(before, start, end);
      [before, start, end] = [kept.bytes, 0, kept.length];
      if (!await cursor.fill()) return undefined;
    }
    const { bytes } = cursor;
    const order = compareBytes(bytes, cursor.start, cursor.end, before, start, end);
    if ((reverse ? -order : order) < least) {
      return { number, line: textOf(bytes, cursor.start, cursor.end) };
    }
  }
}

function textOf(bytes: Chunk, start: number, end: number): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(start, end));
}
