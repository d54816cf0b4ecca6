/**
 * The page of `llmcmd agent`, which help imports alone; `agent.ts` runs the command.
 *
 * @module
 */
export { AGENT_PAGE } from "./page.ts";
