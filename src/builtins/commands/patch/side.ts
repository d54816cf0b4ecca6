import type { SideLine } from "./hunk.ts";
import { HunkLines } from "./hunk_lines.ts";

/** Where a range of lines begins, counted from 1, and how many they are. */
export interface LineRange {
  readonly first: number;
  readonly size: number;
}

/** What has been read of one side. */
export interface ReadSide {
  readonly lines: HunkLines<SideLine>;
  /** Lines of context before the first change; `undefined` while there is none. */
  before: number | undefined;
  /** Lines of context since the last change. */
  context: number;
  /** Lines that are the same on the other side. */
  same: number;
}

/** A side of which nothing was read yet. */
export function emptySide(): ReadSide {
  return { lines: new HunkLines(), before: undefined, context: 0, same: 0 };
}
