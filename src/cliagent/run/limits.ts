/** What a run of a CLI may take. Reaching one of them is an error that names it. */
export interface AgentLimits {
  /**
   * Bytes of one line of the CLI's events; longer ones are left out. In plain text, where the lines
   * are the answer, one that is longer is an error. Default 4 MiB.
   */
  readonly lineBytes: number;
  /** Bytes of standard output; a CLI that prints more is killed. Default 64 MiB. */
  readonly outputBytes: number;
  /** Characters of an error's detail; the end is kept. Default 4,000. */
  readonly detailCharacters: number;
  /**
   * Milliseconds that a CLI's outputs are read after its end, while processes that it left hold them
   * open. Default 1,000.
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
