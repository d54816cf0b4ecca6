/**
 * Tools for agents over the Model Context Protocol: the seven CLI tools that run commands and drive
 * terminal sessions, and the server that offers any registry of tools to an MCP client.
 *
 * Ports run commands, keep sessions and describe the machine, so this room does not access the
 * host. It has no access control: the program that serves it decides who may connect. The SDK is
 * loaded when the first client is served.
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
