import type { Chunk } from "../../../streams/mod.ts";
import type { Range } from "./byte_ranges.ts";

/** What {@linkcode cutFields} prints. */
export interface FieldCut {
  /** The fields, in ascending order. */
  readonly ranges: readonly Range[];
  /** What stands between two fields in the output. */
  readonly between: Chunk;
  /** The byte that stands between two fields in the input. */
  readonly delimiter: number;
  /** The byte that ends a line. */
  readonly separator: number;
  /** Whether lines without a delimiter are left out. */
  readonly suppress: boolean;
}
