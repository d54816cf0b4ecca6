/**
 * The page of `llmcmd overlay`, which is loaded alone for help; `overlay.ts` runs the command.
 *
 * @module
 */
export { OVERLAY_PAGE } from "./page.ts";
