import { MAX_LINE } from "./text/mod.ts";

/** How much memory builtins may use. Bytes where nothing else is said. */
export interface BuiltinLimits {
  /**
   * Longest line that is held in memory. Default 32 MiB. A longer one is a `LimitError`, but for the
   * commands that take lines in pieces or write them to temporary storage. `comm` and `join`, which
   * hold several lines of two files, take a quarter of it for each.
   */
  readonly lineBytes: number;
  /**
   * What `sort` and `shuf` hold in memory before they write to temporary storage, unless sort's
   * option `-S` says otherwise. Default 128 MiB. It is an estimate: a whole process, the runtime included, has
   * peaked at 75 to 130 MB more on a log of 256 MB to 1 GB, and at 185 MB more on lines of seven
   * digits sorted by `-n`. Below about 16 MiB a smaller limit only makes more temporary files and
   * saves no memory.
   */
  readonly sortBytes: number;
  /** What `sort` and `shuf` hold in memory where there is no temporary storage. Default 1 GiB. */
  readonly sortBytesWithoutTemp: number;
  /**
   * What is held of each input that must be read backwards or twice (`tac`, `diff`, `join`, `patch`,
   * `rev`, `column`), or of whose end so much is wanted (`head`, `tail`), where there is no temporary storage.
   * Default 64 MiB. A longer one is a `LimitError`.
   */
  readonly heldBytesWithoutTemp: number;
  /**
   * Lines, of both files together, between the first and the last difference that `diff` compares.
   * Default 2,500,000, which take up to 80 MB. More are a `LimitError`.
   */
  readonly diffLines: number;
  /**
   * Steps that `diff -d` takes to find a smallest set of changes, which may grow with the square of
   * the lines. Default 1,000,000,000, which take some seconds. More are a `LimitError`.
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
