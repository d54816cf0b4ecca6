/**
 * The tool `write`: text of the model to descriptor 1 or into a pipe, while it arrives, when it is
 * complete, or as far as it came; and the sink for both, which pipes write to as well.
 *
 * @module
 */
export { CountingSink, FeedFullError } from "./counting_sink.ts";
export { writeTool } from "./write_tool.ts";
