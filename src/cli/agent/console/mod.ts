/**
 * The terminal of a talk: a line that is edited, rows that say what goes on, questions that one key
 * answers. It knows no agent.
 */
export { AgentConsole, type ConsoleOptions } from "./console.ts";
