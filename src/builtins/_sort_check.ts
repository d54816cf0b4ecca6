import type { ByteSource } from "../streams/mod.ts";
import { Head, LineStream } from "./_sort_merge.ts";
import type { SortPlan } from "./_sort_plan.ts";

/** The first line that is out of order. */
export interface Disorder {
  /** Its number, from 1. */
  readonly number: number;
  readonly line: string;
}

/** Finds the first line that sorts before the one above it, or is the same where that is wrong. */
export async function checkSorted(
  source: ByteSource,
  plan: SortPlan,
  separator: number,
  unique: boolean,
): Promise<Disorder | undefined> {
  const stream = new LineStream(source, separator, plan);
  if (!await stream.refill()) return undefined;
  let before = new Head(plan);
  for (let number = 2;; number++) {
    [before, stream.head] = [stream.head, before];
    if (!stream.advance()) {
      // The block that the line is in goes away.
      before.copy(before);
      if (!await stream.refill()) return undefined;
    }
    const { head } = stream;
    const order = unique ? before.compare(head, plan.identity) : before.compare(head);
    if (order > 0 || (unique && order === 0)) {
      const line = head.text.subarray(head.start, head.end);
      return { number, line: new TextDecoder("utf-8", { ignoreBOM: true }).decode(line) };
    }
  }
}
