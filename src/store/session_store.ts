/** The data of a session for lists, without its lines. */
export interface StoredSession {
  /** Names it. */
  readonly id: string;
  /** The owner who made it; callers define the meaning. */
  readonly owner: string;
  /** The folder that it belongs to; empty where that is not known. */
  readonly root: string;
  /** For lists; may be empty. */
  readonly title: string;
  /** When it was made, in milliseconds since the epoch. */
  readonly created: number;
  /** When a line was last added, in milliseconds since the epoch. */
  readonly updated: number;
  /** The number of its turns; `undefined` where they have not been counted yet. */
  readonly turns: number | undefined;
  /** True where its last turn failed. */
  readonly failed: boolean;
  /**
   * The writer given to {@linkcode SessionStore.claim}; `undefined` without one. A program that was
   * killed is still named.
   */
  readonly writer: string | undefined;
}

/** A session that is to be made. */
export interface NewStoredSession {
  /** Names it. */
  readonly id: string;
  /** The owner who makes it. */
  readonly owner: string;
  /** The folder that it belongs to. Default: no folder. */
  readonly root?: string | undefined;
  /** Its writer; see {@linkcode SessionStore.claim}. Default: no writer. */
  readonly writer?: string | undefined;
  /** When it is made, in milliseconds since the epoch. */
  readonly time: number;
  /** Its first line, and its title. */
  readonly first?: { readonly line: string; readonly title: string } | undefined;
}

/** Which sessions a list has: those for which all that is given is so. */
export interface SessionFilter {
  /** Made by this owner. */
  readonly owner?: string | undefined;
  /** Of this folder. */
  readonly root?: string | undefined;
  /** Of any folder but this one. */
  readonly notRoot?: string | undefined;
}

/**
 * The effect of a line on the turns of a session: it begins one, marks the last one as failed, or
 * resets their number to 0.
 */
export type TurnChange = "begin" | "fail" | "clear";

/** Keeps sessions: each a list of lines that only grows. */
export interface SessionStore {
  /**
   * Makes a session, with its first line and title where they are given; a session of that name
   * without lines gets them too. Else a session of that name stays as it is, and is returned.
   */
  create(session: NewStoredSession): Promise<StoredSession>;
  /** The session of that name. */
  get(id: string): Promise<StoredSession | undefined>;
  /** Sessions, latest change first; at most `limit`. */
  list(which: SessionFilter, limit: number): Promise<StoredSession[]>;
  /**
   * Adds a line, any text without NUL, and counts the turn if it begins one, or keeps that it
   * failed. Resolves when the line is durable, as far as the store is: a store in memory ends with
   * the program.
   *
   * @throws {RangeError} There is no such session.
   */
  append(id: string, line: string, time: number, turn?: TurnChange): Promise<void>;
  /** All lines in order; empty if there is no such session. */
  lines(id: string): Promise<string[]>;
  /** Gives a session its title. Does nothing if there is no such session. */
  setTitle(id: string, title: string): Promise<void>;
  /** Sets how many turns a session has. Does nothing if there is no such session. */
  setTurns(id: string, turns: number): Promise<void>;
  /**
   * Makes `writer` the writer of a session if it has no other, or if that is `gone`, which the
   * caller knows to have ended. Resolves to the writer that it has then; `undefined` if the session
   * does not exist. This is a convention: the store accepts lines from all, so each writer has to
   * claim first.
   */
  claim(id: string, writer: string, gone?: string): Promise<string | undefined>;
  /** Ends that `writer` writes a session. Does nothing where that is not so. */
  release(id: string, writer: string): Promise<void>;
  /** A number that is another one after another program has changed something in the store. */
  changes(): Promise<number>;
  /** Removes a session with its lines. Does nothing if it does not exist. */
  remove(id: string): Promise<void>;
  /** Closes the store. No method may be called afterwards. */
  close(): Promise<void>;
}
