/** A session in the list. */
export interface ListedSession {
  readonly id: string;
  /** May be empty. */
  readonly title: string;
  /** The time of the last change, in milliseconds since the epoch. */
  readonly updated: number;
  readonly turns: number | undefined;
  /** The id of the running turn. */
  readonly running: string | null;
  /** `waiting`: the running turn waits for an answer of its user. `failed`: the last turn failed. */
  readonly state: "idle" | "running" | "waiting" | "failed";
  /**
   * Grows by one when a turn begins, and when the conversation is cleared or cut. Versions of
   * different runs of the program can't be compared.
   */
  readonly version: number;
  /** The ids of the queued messages. */
  readonly queued: readonly string[];
  /** True if it belongs to the working folder. Others cannot be continued here. */
  readonly here: boolean;
  /** Its folder. */
  readonly folder: string;
  /** The other program that writes to it now. */
  readonly writer: ShownWriter | null;
}

/** A program that writes to a session, as clients see it. */
export interface ShownWriter {
  /** Its name, such as `llmcmd agent`. */
  readonly program: string;
  readonly pid: number;
}

/** Reduces a writer to what clients may see. */
export function shownWriter(writer: ShownWriter | undefined): ShownWriter | null {
  return writer === undefined ? null : { program: writer.program, pid: writer.pid };
}

/** The source of the list of sessions. */
export interface ListSource {
  /** All listed sessions. */
  list(): Promise<readonly ListedSession[]>;
  /** A session; `undefined` if there is none. */
  get(id: string): Promise<ListedSession | undefined>;
}
