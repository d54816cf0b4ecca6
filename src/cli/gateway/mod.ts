/**
 * The page of `llmcmd proxy`, which help imports alone; `gateway.ts` runs the command.
 *
 * @module
 */
export { PROXY_PAGE } from "./page.ts";
