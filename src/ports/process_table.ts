/** The processes of this machine. */
export interface ProcessTable {
  /** The id of this process. */
  readonly self: number;
  /**
   * Start time of a process, which tells it from others that had or will have the same id;
   * `undefined` if there is no such process.
   */
  startTime(pid: number): Promise<string | undefined>;
}
