/** Resources that a command cannot share with other commands of its session, although it should. */
export type Apart = readonly ("processes" | "network")[];
