/**
 * The terminal of a talk: a line editor, status rows, and questions that one key answers. It knows
 * nothing of agents.
 */
export { AgentConsole, type ConsoleOptions } from "./console.ts";
