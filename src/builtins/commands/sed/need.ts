/** The reasons for the machine to stop. */
export type Need =
  /** Needs a line for the next cycle. */
  | "line"
  /** Needs to know if another line follows. */
  | "look"
  /** The same for `n`, which prints its line even if the next file cannot be opened. */
  | "next"
  /** Needs a line of the machine's current file for `R`. */
  | "file"
  /** Needs the contents of that file printed immediately, for `0r`. */
  | "insert"
  /** Needs the queue of appended text and files printed. */
  | "append"
  /** Needs its output passed on. */
  | "flush"
  /** Needs a turn of the event loop. */
  | "turn"
  /** Has ended. */
  | "quit";
