/**
 * The page of `llmcmd serve`, which help imports alone; `serve.ts` runs the command.
 *
 * @module
 */
export { SERVE_PAGE } from "./page.ts";
