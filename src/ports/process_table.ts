/** The processes of this machine. */
export interface ProcessTable {
  /** The id of this process. */
  readonly self: number;
  /**
   * Start time of a process, which distinguishes it from earlier and later ones with the same id;
   * `undefined` if there is no such process.
   */
  startTime(pid: number): Promise<string | undefined>;
}
