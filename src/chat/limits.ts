/** The limits of a {@linkcode ChatEngine}. One that is reached is a {@linkcode ChatError}. */
export interface ChatEngineLimits {
  /** Turns that run at once, of all sessions. Default 256. */
  turns: number;
  /** Turns begun in a minute, of all sessions. Default 600. */
  turnsPerMinute: number;
  /** Readers of one turn at once. Default 16. */
  readers: number;
  /** Milliseconds after which a turn without readers is stopped. Default: never. */
  abandoned: number;
  /** Messages queued in one session. Default 20. */
  queued: number;
  /** Readers of the list of sessions at once. Default 64. */
  watchers: number;
  /** Characters shown of a running command's output. Default 2,000. */
  liveOutput: number;
  /** Milliseconds between two checks for changes by other programs. Default 2,000. */
  others: number;
  /** Sessions of the working folder in the list. Default 200. */
  listed: number;
  /** Sessions of other folders in the list. Default 50. */
  listedElsewhere: number;
  /** Items of a session that are shown, counted from the end. Default 2,000. */
  items: number;
  /** Characters of a tool's details (such as a diff) that are sent. Default 65,536. */
  details: number;
}

/** The default limits. */
export const defaultChatEngineLimits: Readonly<ChatEngineLimits> = {
  turns: 256,
  turnsPerMinute: 600,
  readers: 16,
  abandoned: Infinity,
  queued: 20,
  watchers: 64,
  liveOutput: 2000,
  others: 2000,
  listed: 200,
  listedElsewhere: 50,
  items: 2000,
  details: 65_536,
};
