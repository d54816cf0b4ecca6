/** The ways in which the model asks for the end of its run. */
export type Attempt =
  /** The tool `exit`. `text` is that of its message, known once the run is over. */
  | { readonly by: "exit"; readonly code: number; readonly text?: string }
  /** An answer without calls. */
  | { readonly by: "answer"; readonly text: string }
  /** An answer without calls that was cut at `maxTokens`. */
  | { readonly by: "cut"; readonly maxTokens: number };

/**
 * The moments at which an end is judged: when the model asks for it, when the pipes to descriptor 1
 * have run to their ends after that, and when the model gets no more turns.
 */
export type Moment = "asked" | "drained" | "over";

/** The rules that can refuse an end. */
export type RuleName = "cut" | "callAsText" | "order" | "unfed" | "failure" | "unread" | "remark";

/** Facts recorded while the run goes on. "This message" is the one that is being worked on. */
export interface RecordedFacts {
  /** Descriptor 1 was written to, if only with no bytes. */
  readonly delivered: boolean;
  /** The same, within this message. */
  readonly deliveredNow: boolean;
  /** The last transfer to descriptor 1 failed for this reason. */
  readonly lost: string | undefined;
  /** The last failure of a call of this message. */
  readonly failedNow: string | undefined;
  /** The failure of the run's last call. */
  readonly lastFailed: string | undefined;
  /** This message has text besides what the model thinks. */
  readonly hasText: boolean;
  /** Tools of this message's calls that have not begun. */
  readonly ahead: readonly string[];
  /** The last refusal of each rule. */
  readonly refusals: ReadonlyMap<RuleName, string>;
}

/** All that decides whether a run may end. */
export interface EndingFacts extends RecordedFacts {
  readonly moment: Moment;
  readonly attempt: Attempt;
  /** The model gets no further turn. */
  readonly lastTurn: boolean;
  /** The error that has stopped the run. */
  readonly stopped: Error | undefined;
  /** The lowest pipe to descriptor 1 that the model has never written to. */
  readonly unfed: number | undefined;
  /** The lowest pipe that was neither read nor piped on. */
  readonly unread: number | undefined;
  /** Bytes on descriptor 1. */
  readonly written: number;
}
