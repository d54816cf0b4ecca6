/**
 * Builtins in a row: checked before any data flows, connected to each other and to a source, which
 * may be a pipe that the model feeds. They know nothing of descriptors: files are opened through
 * the port {@linkcode OperandFiles}.
 *
 * @module
 */
export { Feed, waitsForModel } from "./feed.ts";
export { type CheckedCommand, parseCommand } from "./parse_command.ts";
export { Pipeline, type PipelineContext, type PipelineReport } from "./pipeline.ts";
export { NoSuchInputError, type OperandFiles, refusal } from "./stage_files.ts";
