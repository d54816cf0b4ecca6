/**
 * The page of `llmcmd desktop`, which is loaded alone for help; `desktop.ts` runs the command.
 *
 * @module
 */
export { DESKTOP_PAGE } from "./page.ts";
