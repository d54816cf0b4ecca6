/**
 * The page of `llmcmd mcp`, which help imports alone; `mcp.ts` runs the command.
 *
 * @module
 */
export { MCP_PAGE } from "./page.ts";
