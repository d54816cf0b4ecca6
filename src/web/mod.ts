/**
 * The web apps, which answer a `Request` with a `Response` and can be mounted in any server: the chat
 * with the coding agent, the gateway to CLI agents, the mock LLM and the guard of an MCP endpoint.
 *
 * Each app is a folder with a door of its own; this door has all of them, for users of the package.
 * The apps check who may send requests, map errors to statuses, and send bodies with back-pressure.
 * They do not listen on a port, and read no files and no environment.
 *
 * @module
 */
export {
  BROWSER_COOKIE,
  type ChatAbout,
  type ChatApp,
  chatApp,
  type ChatAppOptions,
  type ChatEngineLimits,
  type ChatEngineOptions,
  type ChatLimits,
  defaultChatLimits,
  type TurnStart,
} from "./chat/mod.ts";
export { gatewayApp, type GatewayAppOptions, gatewayBeside } from "./gateway/mod.ts";
export type { BodyLimits, FetchApp, SecurityOptions } from "./http/mod.ts";
export { mcpApp, type McpAppOptions, type McpRequests } from "./mcp/mod.ts";
export { type MockApp, mockApp, type MockAppOptions } from "./mock/mod.ts";
export { type Mount, serverApp } from "./server/mod.ts";
