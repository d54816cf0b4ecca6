/**
 * The page of `llmcmd mock`, which is loaded alone for help; `mock.ts` runs the command.
 *
 * @module
 */
export { MOCK_PAGE } from "./page.ts";
