/**
 * The page of `llmcmd mock`, which help imports alone; `mock.ts` runs the command.
 *
 * @module
 */
export { MOCK_PAGE } from "./page.ts";
