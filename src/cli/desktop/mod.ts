/**
 * The page of `llmcmd desktop`, which help imports alone; `desktop.ts` runs the command.
 *
 * @module
 */
export { DESKTOP_PAGE } from "./page.ts";
