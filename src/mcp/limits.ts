/** Limits of the tools. */
export interface CliLimits {
  /** Default time-out of a command of CliRun in seconds; 30. */
  readonly commandSeconds: number;
  /** Longest time-out that the model may ask for in seconds, also of a wait in a session; 600. */
  readonly secondsMost: number;
  /** Most commands of CliRun at once; 16. */
  readonly commands: number;
  /** Bytes to keep of each output of CliRun, a quarter of them from its beginning; 40,000. */
  readonly outputBytes: number;
  /** Most bytes of one CliRead; 1 MiB. The default of a call is 64 KiB. */
  readonly readBytesMost: number;
  /** Most bytes of all variables set by CliEnv, names and values together; 256 KiB. */
  readonly environmentBytes: number;
  /** Milliseconds between two reports of progress; 1,000. */
  readonly progressInterval: number;
}

/** Default {@linkcode CliLimits}. */
export const defaultCliLimits: CliLimits = {
  commandSeconds: 30,
  secondsMost: 600,
  commands: 16,
  outputBytes: 40_000,
  readBytesMost: 1024 ** 2,
  environmentBytes: 256 * 1024,
  progressInterval: 1000,
};
