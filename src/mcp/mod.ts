/**
 * Tools for agents over the Model Context Protocol: the seven CLI tools that run commands and drive
 * terminal sessions, and the server that offers any registry of tools to an MCP client.
 *
 * What runs commands, keeps sessions and knows the machine is a port, so this room does not speak to
 * the host. It holds no policy: who may connect is decided by whoever serves it. The SDK is loaded
 * when the first client is served.
 *
 * @module
 */
export { CLI_TOOL_NAMES, type CliToolName, cliTools, type CliToolsOptions } from "./cli_tools.ts";
export type { HostPort } from "./host_port.ts";
export { type CliLimits, defaultCliLimits } from "./limits.ts";
export { type McpHandler, mcpHandler, type McpHandlerOptions } from "./mcp_handler.ts";
export type { McpAbout } from "./mcp_server.ts";
export { noSessions } from "./no_sessions.ts";
export { serveStreams, type ServeStreamsOptions } from "./serve_streams.ts";
export type {
  ApartResult,
  CommandPort,
  CommandSandbox,
  KeptOutput,
  RunCommand,
  SessionInput,
  SessionOutput,
  SessionPort,
  SessionRead,
  SessionStart,
  SessionState,
  SessionStopped,
  SessionUntil,
  SessionWritten,
  ShellFacts,
  Survivors,
  TerminalSession,
} from "../ports/mod.ts";
export { isForbidden } from "./variables.ts";
