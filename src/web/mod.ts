/**
 * The product's HTTP side: apps that answer a `Request` with a `Response` and can be mounted in
 * any server: the chat with the coding agent and its page, the mock LLM's endpoints, and the app
 * that `server.ts` serves.
 *
 * It checks who may send requests, maps errors to statuses, keeps turns running while somebody
 * reads them, and sends bodies with back-pressure. It does not listen on a port, read files or the
 * environment, or decide what a mock or an agent says.
 *
 * @module
 */
export type { FetchApp } from "./fetch_app.ts";
export { type ChatApp, chatApp } from "./chat_app.ts";
export type { ChatAbout, ChatAppOptions, TurnStart } from "./chat_options.ts";
export { BROWSER_COOKIE } from "./chat_http.ts";
export { type ChatLimits, defaultChatLimits } from "./chat_limits.ts";
export { gatewayApp, type GatewayAppOptions, gatewayBeside } from "./gateway/mod.ts";
export type { BodyLimits } from "./http_body.ts";
export { mcpApp, type McpAppOptions, type McpRequests } from "./mcp_app.ts";
export { type MockApp, mockApp, type MockAppOptions } from "./mock_app.ts";
export type { SecurityOptions } from "./security.ts";
export { type Mount, serverApp } from "./server_app.ts";
