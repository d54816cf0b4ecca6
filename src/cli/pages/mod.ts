/**
 * The pages of the command and its subcommands: what each is called, its options, variables and
 * exit statuses. Parsing, `--help`, the manual page and the completions are all made from them.
 *
 * This door stays light: a subcommand's page is loaded when it is needed.
 *
 * @module
 */
export { coderArguments, limitArguments } from "./coder_arguments.ts";
export { ABOUT, LLMCMD_PAGE } from "./llmcmd_page.ts";
export {
  agentPage,
  allPages,
  attachPage,
  desktopPage,
  fsproxyPage,
  mcpPage,
  mockPage,
  overlayPage,
  proxyPage,
  servePage,
  type Subcommand,
  SUBCOMMANDS,
} from "./subcommands.ts";
export { type Key, KEYS } from "./variables.ts";
