/**
 * The page of `llmcmd agent`, which is loaded alone for help; `agent.ts` runs the command.
 *
 * @module
 */
export { AGENT_PAGE } from "./page.ts";
