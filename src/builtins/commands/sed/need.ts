/** What the machine needs before it can go on. */
export type Need =
  /** A line for the next cycle. */
  | "line"
  /** To know whether a line follows. */
  | "look"
  /** The same for `n`, which prints its line even if the next file cannot be opened. */
  | "next"
  /** A line of the machine's current file for `R`. */
  | "file"
  /** The contents of that file printed at once, for `0r`. */
  | "insert"
  /** The queue of appended text and files to be printed. */
  | "append"
  /** Its output to be passed on. */
  | "flush"
  /** The event loop to turn. */
  | "turn"
  /** Nothing: it has ended. */
  | "quit";
