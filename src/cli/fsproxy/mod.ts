/**
 * The page of `llmcmd fsproxy`, which help imports alone; `fsproxy.ts` runs the command.
 *
 * @module
 */
export { FSPROXY_PAGE } from "./page.ts";
