/**
 * Every limit of {@linkcode chatApp}. A request beyond one is refused with the status given here.
 */
export interface ChatLimits {
  /** Bytes of a request body. Default 1 MiB. 413 beyond. */
  bodyBytes: number;
  /** Milliseconds in which a request's body must have arrived. Default 10,000. 408 beyond. */
  bodyTime: number;
  /** Turns that run at once, of all sessions. Default 256. 503 beyond. */
  turns: number;
  /** Turns begun in a minute, of all sessions. Default 600. 429 beyond. */
  turnsPerMinute: number;
  /** Readers of one turn at once. Default 16. 429 beyond. */
  readers: number;
  /** Milliseconds after which a turn that nobody reads any more is stopped. Default: it is not. */
  abandoned: number;
  /** Messages that wait in a session for the end of its turn. Default 20. 429 beyond. */
  queued: number;
  /** Readers of lists of sessions at once, of all browsers. Default 64. 429 beyond. */
  watchers: number;
  /** Characters of a running command's output that are shown. Default 2,000. */
  liveOutput: number;
  /** Milliseconds between two looks whether another program has changed a session. Default 2,000. */
  others: number;
  /** Milliseconds of silence after which a comment is sent. Default 15,000. */
  keepAlive: number;
  /** Milliseconds after which a reader that reads nothing is dropped. Default 60,000. */
  stalled: number;
  /** Sessions of the working folder in the list. Default 200. */
  listed: number;
  /** Sessions of other folders in the list. Default 50. */
  listedElsewhere: number;
  /** The latest items of a session that the page is given. Default 2,000. */
  items: number;
  /** Characters of a tool's details (such as a diff) that are sent. Default 65,536. */
  details: number;
}

/** The default limits. */
export const defaultChatLimits: Readonly<ChatLimits> = {
  bodyBytes: 1024 * 1024,
  bodyTime: 10_000,
  turns: 256,
  turnsPerMinute: 600,
  readers: 16,
  abandoned: Infinity,
  queued: 20,
  watchers: 64,
  liveOutput: 2000,
  others: 2000,
  keepAlive: 15_000,
  stalled: 60_000,
  listed: 200,
  listedElsewhere: 50,
  items: 2000,
  details: 65_536,
};
