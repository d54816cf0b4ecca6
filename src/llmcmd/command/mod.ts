/**
 * The text of a `cmd`: split into words as a shell does, and each command found among the builtins,
 * by the other names that models know for it, too.
 *
 * @module
 */
export { nameCommand } from "./name_command.ts";
export { splitCommandLine, splitWords } from "./split_words.ts";
