import type { McpAbout } from "../../mcp/mod.ts";
import { VERSION } from "../version.ts";

/** The server's description of itself, for clients and models. */
export const ABOUT_MCP: McpAbout = {
  name: "llmcmd",
  version: VERSION,
  instructions: "Run commands with CliRun. For what needs a terminal, input or minutes, start a " +
    "session with CliSession, type with CliWrite, wait with CliRead and end it with CliStop. Call " +
    "CliGetPlatform first to learn which shell there is.",
};
