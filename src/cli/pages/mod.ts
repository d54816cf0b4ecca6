/**
 * The pages of the command and its subcommands: what each is called, its options, variables and
 * exit statuses. Parsing, `--help`, the manual page and the completions are all made from them.
 *
 * @module
 */
export { AGENT_PAGE } from "./agent_page.ts";
export { coderArguments, limitArguments } from "./coder_options.ts";
export { DESKTOP_PAGE } from "./desktop_page.ts";
export { ABOUT, LLMCMD_PAGE } from "./llmcmd_page.ts";
export { MOCK_PAGE } from "./mock_page.ts";
export { SERVE_PAGE } from "./serve_page.ts";
export { type Subcommand, SUBCOMMANDS } from "./subcommands.ts";
export { type Key, KEYS } from "./variables.ts";
