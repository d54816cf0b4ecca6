/**
 * The page of `llmcmd proxy`, which is loaded alone for help; `gateway.ts` runs the command.
 *
 * @module
 */
export { PROXY_PAGE } from "./page.ts";
