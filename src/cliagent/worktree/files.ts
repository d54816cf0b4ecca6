/** Files as the gateway needs them: a port. Paths are absolute; errors are the host's own. */
export interface AgentFiles {
  /** Makes a folder and those above it, for this user only (mode 0700). One that is there stays. */
  makeFolder(path: string): Promise<void>;
  /** The names in a folder; none if there is no such folder. */
  list(path: string): Promise<string[]>;
  /** The text of a file; `undefined` if there is no such file. */
  readText(path: string): Promise<string | undefined>;
  /** The bytes of a file; `undefined` if there is no such file. */
  readBytes(path: string): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** Writes a file for this user only (mode 0600), all or nothing; replaces an old one. */
  write(path: string, content: string | Uint8Array<ArrayBuffer>): Promise<void>;
  /** Removes a file, or a folder with all in it. Nothing there is no error. */
  remove(path: string): Promise<void>;
  /** Copies a file with its mode, or a link as a link, and makes the folders above the copy. */
  copy(from: string, to: string): Promise<void>;
  /** The path without links; `undefined` if nothing is there. */
  realPath(path: string): Promise<string | undefined>;
}

/** Processes as the gateway needs them: a port. */
export interface AgentProcesses {
  /** The id of this process. */
  readonly self: number;
  /**
   * What tells a process from others that had or will have its id, such as the time it started;
   * `undefined` if there is no such process.
   */
  startTime(pid: number): Promise<string | undefined>;
}
