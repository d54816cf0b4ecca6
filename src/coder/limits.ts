/**
 * Every budget of the coding agent. Reaching one is an error or a note that names it: by the name
 * of the field, or what `names` calls it.
 */
export interface CoderLimits {
  /** API calls of one turn, retries included. Default 100. */
  apiCalls: number;
  /**
   * Weighted tokens of one turn (1 input, 0.25 cached input, 4 output); 0 is without limit.
   * Default 5,000,000.
   */
  tokens: number;
  /**
   * Tokens that fit the model's context. From 80 % on the conversation is compacted.
   * Default 128,000.
   */
  contextTokens: number;
  /** Tokens of the recent messages that a compaction keeps, at most. Default 20,000. */
  keepTokens: number;
  /** Lines that one `read_file` gives. Default 2,000. */
  readLines: number;
  /** Bytes that one `read_file` gives. Default 50,000. */
  readBytes: number;
  /**
   * Bytes of a file that `edit_file` works on. Of a larger one `read_file` reads only as far as the
   * lines that are asked for. Default 16 MiB.
   */
  fileBytes: number;
  /** Characters of a diff that the model reads after an edit. Default 8,000. */
  diffCharacters: number;
  /** Seconds of a `bash` call that gives no `timeout`. Default 30. */
  bashSeconds: number;
  /** Seconds that a `bash` call may ask for. Default 3,600. */
  bashSecondsMost: number;
  /** Bytes of all AGENTS.md files together. Default 64 KiB. */
  instructionBytes: number;
  /** Names of the limits in errors: the settings that raise them. Default: the fields' names. */
  names: { readonly apiCalls?: string; readonly tokens?: string };
}

/** The limits where nothing else is said. */
export const defaultCoderLimits: Readonly<CoderLimits> = {
  apiCalls: 100,
  tokens: 5_000_000,
  contextTokens: 128_000,
  keepTokens: 20_000,
  readLines: 2000,
  readBytes: 50_000,
  fileBytes: 16 * 1024 * 1024,
  diffCharacters: 8000,
  bashSeconds: 30,
  bashSecondsMost: 3600,
  instructionBytes: 64 * 1024,
  names: {},
};

/** The limits with their defaults. Throws a `RangeError` for one that makes no sense. */
export function checkedLimits(given: Partial<CoderLimits> = {}): CoderLimits {
  const limits = { ...defaultCoderLimits, ...given };
  // The model may always ask for the default duration.
  limits.bashSecondsMost = Math.max(limits.bashSecondsMost, limits.bashSeconds);
  const { names: _names, ...numbers } = limits;
  for (const [name, value] of Object.entries(numbers)) {
    const least = name === "tokens" || name === "keepTokens" || name === "instructionBytes" ? 0 : 1;
    if (!(value >= least)) {
      throw new RangeError(`Cannot use ${value} for ${name}: give a number of at least ${least}`);
    }
  }
  return limits;
}
