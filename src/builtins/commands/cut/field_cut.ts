import type { Chunk } from "../../../streams/mod.ts";
import type { Range } from "./byte_ranges.ts";

/** The options of {@linkcode cutFields}. */
export interface FieldCut {
  /** The fields, in ascending order. */
  readonly ranges: readonly Range[];
  /** The text between two fields in the output. */
  readonly between: Chunk;
  /** The byte between two fields in the input. */
  readonly delimiter: number;
  /** The byte that ends a line. */
  readonly separator: number;
  /** True if lines without a delimiter are left out. */
  readonly suppress: boolean;
}
