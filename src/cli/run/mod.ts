/**
 * A run of `llmcmd` itself: its inputs, what it shows while it goes on, its statistics.
 *
 * @module
 */
export { runCommand } from "./run_command.ts";
