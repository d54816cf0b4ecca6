/**
 * The tool `pipe`: builtins between descriptors, which they may also name as files.
 *
 * @module
 */
export { pipeTool } from "./pipe_tool.ts";
