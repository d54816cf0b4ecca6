/** What is known of a session without reading it. */
export interface StoredSession {
  /** Names it. */
  readonly id: string;
  /** Whose it is; what that means is the caller's business. */
  readonly owner: string;
  /** For lists; may be empty. */
  readonly title: string;
  /** When it was made, in milliseconds since the epoch. */
  readonly created: number;
  /** When a line was last added, in milliseconds since the epoch. */
  readonly updated: number;
  /** How many turns it has; `undefined` when they were not counted yet. */
  readonly turns: number | undefined;
}

/** A session that is to be made. */
export interface NewStoredSession {
  /** Names it. */
  readonly id: string;
  /** Whose it is. */
  readonly owner: string;
  /** When it is made, in milliseconds since the epoch. */
  readonly time: number;
  /** Its first line, and its title. */
  readonly first?: { readonly line: string; readonly title: string } | undefined;
}

/** What a line does to the number of turns: it begins one, or none counts any more. */
export type TurnChange = "begin" | "clear";

/** Keeps sessions: each a list of lines that only grows. */
export interface SessionStore {
  /**
   * Makes a session, and gives one that has no lines yet what it begins with, if that is said. Gives
   * the one that is there, unchanged, if the name is taken by one with lines.
   */
  create(session: NewStoredSession): Promise<StoredSession>;
  /** The session of that name. */
  get(id: string): Promise<StoredSession | undefined>;
  /** The sessions of an owner, the one that changed last in front; at most `limit`. */
  list(owner: string, limit: number): Promise<StoredSession[]>;
  /**
   * Adds a line, which is a text without NUL whose meaning is not known here, and counts the turn if
   * it begins one. Resolves when it would survive the end of the program, if the store survives that
   * at all.
   *
   * @throws {RangeError} There is no such session.
   */
  append(id: string, line: string, time: number, turn?: TurnChange): Promise<void>;
  /** All lines in order; empty if there is no such session. */
  lines(id: string): Promise<string[]>;
  /** Gives a session its title. Does nothing if there is no such session. */
  setTitle(id: string, title: string): Promise<void>;
  /** Says how many turns a session has. Does nothing if there is no such session. */
  setTurns(id: string, turns: number): Promise<void>;
  /** Removes a session with its lines. Does nothing if there is none. */
  remove(id: string): Promise<void>;
  /** Ends the store: nothing may be asked of it any more. */
  close(): Promise<void>;
}
