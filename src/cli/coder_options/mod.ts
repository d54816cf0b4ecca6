/**
 * The options of all commands that run the coding agent.
 *
 * @module
 */
export { coderArguments, limitArguments } from "./arguments.ts";
export { CODER_OPTIONS, LIMIT_OPTIONS } from "./options.ts";
