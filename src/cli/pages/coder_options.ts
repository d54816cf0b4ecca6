import { choice, flag, list, value } from "../../command_line/mod.ts";
import { wholeNumber, words } from "./common.ts";

/** The options of every command that runs the coding agent. */
export const CODER_OPTIONS = [
  choice("sandbox", {
    argument: "KIND",
    help: "confine commands: auto, bwrap or none (auto)",
    words: ["auto", "bwrap", "none"],
    usual: "auto",
  }),
  list("allow-dir", {
    argument: "FOLDER",
    help: "let files be changed in this folder, too; may be repeated",
    complete: "file",
  }),
  flag("no-network", { help: "keep commands from the network; needs the sandbox" }),
  choice("ask", {
    argument: "CALLS",
    help: "ask the user before each command, or before all calls: never, commands or all (never)",
    words: ["never", "commands", "all"],
    usual: "never",
  }),
  flag("yes", { help: "allow without asking, also what is outside of these folders" }),
  value("base-url", { argument: "URL", help: "use this endpoint", read: words }),
  value("model", { argument: "NAME", help: "use this model", read: words }),
] as const;

/** The options that set the limits of a turn. */
export const LIMIT_OPTIONS = [
  value("max-calls", {
    argument: "N",
    help: "API calls of one turn (100)",
    read: wholeNumber(1),
  }),
  value("max-tokens", {
    argument: "N",
    help: "weighted tokens of one turn (5000000); 0 is no limit",
    read: wholeNumber(0),
  }),
  value("context", {
    argument: "N",
    help: "tokens that fit the model's context, which is compacted at 80 % (128000)",
    read: wholeNumber(1),
  }),
  value("bash-timeout", {
    argument: "SECONDS",
    help: "time of a command for which the model asks no other (30)",
    read: wholeNumber(1),
  }),
] as const;

/** The variables of every command that runs the coding agent. */
export const CODER_TERMS: readonly (readonly [name: string, about: string])[] = [
  ["LLM_AUTH_TOKEN", "key of the endpoint; else OPENAI_API_KEY"],
  ["LLM_BASE_URL", "the endpoint; else OPENAI_BASE_URL"],
  ["LLM_DEFAULT_MODEL", "model; else LLMCMD_MODEL"],
  ["LLM_SMALL_FAST_MODEL", "model for titles and summaries"],
  ["LLMCMD_FIRST_TOKEN_TIMEOUT", "seconds until an answer begins or goes on (300)"],
  ["LLMCMD_MAX_RETRY_WAIT", "most seconds that a Retry-After is waited for (60)"],
];

/** The variables behind {@linkcode LIMIT_OPTIONS}, where a command has these options. */
export const LIMIT_TERMS: readonly (readonly [name: string, about: string])[] = LIMIT_OPTIONS.map(
  ({ name }) => [limitVariable(name), `as --${name}`],
);

/** The same variables, where a command has no options for them. */
export const LIMIT_TERMS_ALONE: readonly (readonly [name: string, about: string])[] = LIMIT_OPTIONS
  .map(({ name, help = "" }) => [limitVariable(name), help]);

function limitVariable(option: string): string {
  return `LLMCMD_AGENT_${option.toUpperCase().replaceAll("-", "_")}`;
}
