/** Limits of a CLI's run. Reaching one of them is an error that names it. */
export interface AgentLimits {
  /**
   * Bytes of one line of output. A longer event is dropped; in plain text, where the lines are the
   * answer, a longer line is an error. Default 4 MiB.
   */
  readonly lineBytes: number;
  /** Bytes of standard output; a CLI that prints more is killed. Default 64 MiB. */
  readonly outputBytes: number;
  /** Characters of an error's detail, of which the end is kept. Default 4,000. */
  readonly detailCharacters: number;
  /**
   * Milliseconds for which output is still read after the CLI has exited, while processes that it
   * left behind hold the pipes open. Default 1,000.
   */
  readonly drainTime: number;
}

/** The defaults of {@linkcode AgentLimits}. */
export const defaultAgentLimits: AgentLimits = {
  lineBytes: 4 * 1024 ** 2,
  outputBytes: 64 * 1024 ** 2,
  detailCharacters: 4000,
  drainTime: 1000,
};
