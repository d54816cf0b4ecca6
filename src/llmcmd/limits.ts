import { type FdTable, type Limit, LimitError } from "../streams/mod.ts";

/**
 * Every budget of a run. Reaching one is a `LimitError` whose message and `limit` have the name of
 * the field, or what `names` calls it.
 */
export interface LlmcmdLimits {
  /** API calls, retries included. Default 50. */
  apiCalls: number;
  /** Weighted tokens of the run; 0 is without limit. Default 0. */
  tokens: number;
  /** The weight of each kind of token in `tokens`. Default 1 input, 0.25 cached input, 4 output. */
  tokenWeights: { input: number; cached: number; output: number };
  /** Seconds of the run, requests and pipes included. Default 300. */
  seconds: number;
  /**
   * Bytes of one input: of a regular file before the first API call, of a stream while it is read.
   * Default 10 MiB.
   */
  inputBytes: number;
  /** Bytes written to descriptor 1. Default 10 MiB. */
  outputBytes: number;
  /** Bytes one `read` returns by default, at most 64 KiB. Default 4096. */
  readBufferSize: number;
  /** Names of the limits in errors: the settings that raise them. Default: the fields' names. */
  names: {
    readonly apiCalls?: string;
    readonly tokens?: string;
    readonly seconds?: string;
    readonly inputBytes?: string;
    readonly outputBytes?: string;
  };
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
  names: {},
};

/** The limits with their defaults. Throws a `RangeError` for what is not a number of at least 0. */
export function checkedLimits(given: Partial<LlmcmdLimits> = {}): LlmcmdLimits {
  const limits = { ...defaultLimits, ...given };
  const { tokenWeights, names: _names, ...numbers } = limits;
  for (const [name, value] of Object.entries({ ...numbers, ...tokenWeights })) {
    const least = name === "readBufferSize" ? 1 : 0;
    if (!(value >= least)) {
      throw new RangeError(`Cannot use ${value} for ${name}: give a number of at least ${least}`);
    }
  }
  return limits;
}

/** A limit as errors name it. */
export function limitOf(limits: LlmcmdLimits, name: keyof LlmcmdLimits["names"]): Limit {
  return { name: limits.names[name] ?? name, max: limits[name] };
}

/**
 * Throws a `LimitError` for an input file that is larger than allowed. Standard input is limited
 * while it is read: asking it whether it is a file takes 20 ms.
 */
export function checkSizes(fds: FdTable, limits: LlmcmdLimits): void {
  const limit = limitOf(limits, "inputBytes");
  const stdin = fds.has(0) ? fds.get(0).source : undefined;
  for (const { name, source } of fds.list()) {
    const size = source === stdin ? 0 : source?.at?.size ?? 0;
    if (size <= limit.max) continue;
    throw new LimitError(
      limit,
      `${name} (${size} bytes) is larger than ${limit.name} (${limit.max} bytes); raise it to go on`,
    );
  }
}
