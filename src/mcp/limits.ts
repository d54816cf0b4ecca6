/** The budgets of the tools. */
export interface CliLimits {
  /** Seconds that a command of CliRun may take for which the model asks no other; 30. */
  readonly commandSeconds: number;
  /** Most seconds that the model may ask for, also for a wait in a session; 600. */
  readonly secondsMost: number;
  /** Commands of CliRun that may run at once; 16. */
  readonly commands: number;
  /** Bytes that are kept of each output of CliRun, a quarter of them of its beginning; 40,000. */
  readonly outputBytes: number;
  /** Most bytes of one CliRead; 1 MiB. If the model does not say, 64 KiB are read. */
  readonly readBytesMost: number;
  /** Bytes of all variables that CliEnv has set, names and values; 256 KiB. */
  readonly environmentBytes: number;
  /** Milliseconds between two reports of progress; 1,000. */
  readonly progressInterval: number;
}

/** What {@linkcode CliLimits} are if nothing else is asked for. */
export const defaultCliLimits: CliLimits = {
  commandSeconds: 30,
  secondsMost: 600,
  commands: 16,
  outputBytes: 40_000,
  readBytesMost: 1024 ** 2,
  environmentBytes: 256 * 1024,
  progressInterval: 1000,
};
