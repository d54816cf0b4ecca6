/**
 * The command `llmcmd`: arguments, configuration, opening files, progress and logs, exit codes.
 *
 * It is for people and scripts at a shell. Programs use `llmcmd/` and the rooms below, which print
 * nothing and end no process. Only this room maps errors to exit codes.
 *
 * This entry imports little, so that `--help` starts as fast as an empty script. Everything else is
 * imported where it is first needed.
 *
 * @module
 */
export { main } from "./main.ts";
export type { TextOutput } from "./pages/pages.ts";
export { scenariosAt, tokenChat } from "./server/server.ts";
