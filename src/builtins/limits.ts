import { MAX_LINE } from "./text/mod.ts";

/** Memory and work limits of builtins, in bytes unless stated otherwise. */
export interface BuiltinLimits {
  /**
   * Longest line held in memory. Default 32 MiB. A longer line is a `LimitError`, except in
   * commands that read lines in pieces or write them to temporary storage. `comm` and `join`, which
   * hold several lines of two files, allow a quarter of it for each.
   */
  readonly lineBytes: number;
  /**
   * Memory of `sort` and `shuf` before they write to temporary storage; sort's option `-S`
   * overrides it. Default 128 MiB. It is an estimate: the whole process, with the runtime, peaked
   * 75 to 130 MB higher on a log of 256 MB to 1 GB, and 185 MB higher on lines of seven digits with
   * `-n`. Below about 16 MiB a smaller limit only makes more temporary files and saves no memory.
   */
  readonly sortBytes: number;
  /** Memory of `sort` and `shuf` without temporary storage. Default 1 GiB. */
  readonly sortBytesWithoutTemp: number;
  /**
   * Bytes held of each input without temporary storage, for commands that read backwards or twice
   * (`tac`, `diff`, `join`, `patch`, `rev`, `column`) or keep the end (`head`, `tail`). Default 64
   * MiB. A longer input is a `LimitError`.
   */
  readonly heldBytesWithoutTemp: number;
  /**
   * Lines that `diff` compares: those of both files between the first and the last difference.
   * Default 2,500,000, which take up to 80 MB. More are a `LimitError`.
   */
  readonly diffLines: number;
  /**
   * Steps of `diff -d` to find a smallest set of changes; they can grow with the square of the
   * number of lines. Default 1,000,000,000, which take some seconds. More are a `LimitError`.
   */
  readonly diffSteps: number;
}

const MIB = 1024 * 1024;

/** The default limits. */
export const defaultBuiltinLimits: BuiltinLimits = Object.freeze({
  lineBytes: MAX_LINE,
  sortBytes: 128 * MIB,
  sortBytesWithoutTemp: 1024 * MIB,
  heldBytesWithoutTemp: 64 * MIB,
  diffLines: 2_500_000,
  diffSteps: 1_000_000_000,
});
