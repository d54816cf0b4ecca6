/**
 * The guard of an MCP endpoint: an app that checks who may ask and passes requests on to a handler.
 *
 * @module
 */
export { mcpApp, type McpAppOptions, type McpRequests } from "./mcp_app.ts";
