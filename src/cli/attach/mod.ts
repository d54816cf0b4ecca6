/**
 * The page of `llmcmd attach`, which help imports alone; `attach.ts` runs the command.
 *
 * @module
 */
export { ATTACH_PAGE } from "./page.ts";
