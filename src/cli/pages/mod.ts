/**
 * The pages of the command and its subcommands: what each is called, its options, variables and
 * exit statuses. Parsing, `--help`, the man page and the completions are all made from them.
 *
 * @module
 */
export { AGENT_PAGE } from "./agent_page.ts";
export { type LimitOption } from "./coder_options.ts";
export { type CommandOption, type CommandPage } from "./command_page.ts";
export { DESKTOP_PAGE } from "./desktop_page.ts";
export { helpText } from "./help.ts";
export { LLMCMD_PAGE } from "./llmcmd_page.ts";
export { MOCK_PAGE } from "./mock_page.ts";
export { longSpellings } from "./option_label.ts";
export { SERVE_PAGE } from "./serve_page.ts";
export { type Subcommand, SUBCOMMANDS } from "./subcommands.ts";
