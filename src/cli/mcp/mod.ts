/**
 * The page of `llmcmd mcp`, which is loaded alone for help; `mcp.ts` runs the command.
 *
 * @module
 */
export { MCP_PAGE } from "./page.ts";
