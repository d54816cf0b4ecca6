/**
 * The page of `llmcmd overlay`, which help imports alone; `overlay.ts` runs the command.
 *
 * @module
 */
export { OVERLAY_PAGE } from "./page.ts";
