/** How much memory builtins may use. All are bytes. */
export interface BuiltinLimits {
  /** Longest line that is held in memory. Default 256 MiB. A longer one is a `LimitError`. */
  readonly lineBytes: number;
  /**
   * What `sort` holds in memory before it writes to temporary storage, unless its option `-S` says
   * otherwise. Default 128 MiB.
   */
  readonly sortBytes: number;
  /** What `sort` holds in memory where there is no temporary storage. Default 1 GiB. */
  readonly sortBytesWithoutTemp: number;
}

const MIB = 1024 * 1024;

/** The limits where nothing else is said. */
export const defaultBuiltinLimits: BuiltinLimits = Object.freeze({
  lineBytes: 256 * MIB,
  sortBytes: 128 * MIB,
  sortBytesWithoutTemp: 1024 * MIB,
});
