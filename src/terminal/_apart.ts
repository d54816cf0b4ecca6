/** What a command can't share with the others of its session, though it should. */
export type Apart = readonly ("processes" | "network")[];
