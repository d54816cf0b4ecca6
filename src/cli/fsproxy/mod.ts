/**
 * The page of `llmcmd fsproxy`, which is loaded alone for help; `fsproxy.ts` runs the command.
 *
 * @module
 */
export { FSPROXY_PAGE } from "./page.ts";
