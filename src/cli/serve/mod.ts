/**
 * The page of `llmcmd serve`, which is loaded alone for help; `serve.ts` runs the command.
 *
 * @module
 */
export { SERVE_PAGE } from "./page.ts";
