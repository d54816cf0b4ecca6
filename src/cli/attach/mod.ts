/**
 * The page of `llmcmd attach`, which is loaded alone for help; `attach.ts` runs the command.
 *
 * @module
 */
export { ATTACH_PAGE } from "./page.ts";
