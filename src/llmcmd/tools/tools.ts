/** The tools with their schemas and commands, loaded while the first request is on its way. */
export { exitTool } from "./exit_tool.ts";
export { pipeTool } from "../pipe/mod.ts";
export { readTool } from "./read_tool.ts";
export { writeTool } from "../write/mod.ts";
