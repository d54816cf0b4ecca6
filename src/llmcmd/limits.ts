/**
 * Every budget of a run. Reaching one is a `LimitError` whose `limit` is the name given here: the
 * environment variable and configuration key that raises it.
 */
export interface LlmcmdLimits {
  /** API calls, retries included. `LLMCMD_MAX_API_CALLS`, default 50. */
  apiCalls: number;
  /** Weighted tokens of the run; 0 is without limit. `LLMCMD_MAX_TOKENS_BUDGET`, default 0. */
  tokens: number;
  /** The weight of each kind of token in `tokens`. Default 1 input, 0.25 cached input, 4 output. */
  tokenWeights: { input: number; cached: number; output: number };
  /** Seconds of the run, requests and pipes included. `LLMCMD_TIMEOUT`, default 300. */
  seconds: number;
  /**
   * Bytes of one input: of a regular file before the first API call, of a stream while it is read.
   * `LLMCMD_MAX_INPUT_BYTES`, default 10 MiB.
   */
  inputBytes: number;
  /** Bytes written to descriptor 1. `LLMCMD_MAX_OUTPUT_BYTES`, default 10 MiB. */
  outputBytes: number;
  /** Bytes one `read` returns by default, at most 64 KiB. `LLMCMD_READ_BUFFER_SIZE`, default 4096. */
  readBufferSize: number;
}

/** The limits that hold where nothing is set; docs/configuration.md lists them. */
export const defaultLimits: Readonly<LlmcmdLimits> = {
  apiCalls: 50,
  tokens: 0,
  tokenWeights: { input: 1, cached: 0.25, output: 4 },
  seconds: 300,
  inputBytes: 10 * 1024 * 1024,
  outputBytes: 10 * 1024 * 1024,
  readBufferSize: 4096,
};

/** The limits with their defaults. Throws a `RangeError` for what is not a number of at least 0. */
export function checkedLimits(given: Partial<LlmcmdLimits> = {}): LlmcmdLimits {
  const limits = { ...defaultLimits, ...given };
  const { tokenWeights, ...numbers } = limits;
  for (const [name, value] of Object.entries({ ...numbers, ...tokenWeights })) {
    const least = name === "readBufferSize" ? 1 : 0;
    if (!(value >= least)) {
      throw new RangeError(`Cannot use ${value} for ${name}: give a number of at least ${least}`);
    }
  }
  return limits;
}
