import type { CommandPage } from "./command_page.ts";

/** The options of every command that runs the coding agent. */
export const CODER_OPTIONS: CommandPage<"sandbox" | "allow-dir" | "model">["options"] = [
  {
    name: "sandbox",
    long: "sandbox",
    argument: "required",
    argumentName: "KIND",
    help: "confine commands: auto, bwrap or none (auto)",
    complete: ["auto", "bwrap", "none"],
  },
  {
    name: "allow-dir",
    long: "allow-dir",
    argument: "required",
    argumentName: "FOLDER",
    help: "confine files to the current folder and this one, and let commands write there; " +
      "may be repeated",
    complete: "file",
  },
  {
    name: "model",
    long: "model",
    argument: "required",
    argumentName: "NAME",
    help: "use this model",
  },
];

/** The options that set the limits of a turn, and what each is called in the environment. */
export const LIMIT_OPTIONS: CommandPage<LimitOption>["options"] = [
  {
    name: "max-calls",
    long: "max-calls",
    argument: "required",
    argumentName: "N",
    help: "API calls of one turn (100)",
  },
  {
    name: "max-tokens",
    long: "max-tokens",
    argument: "required",
    argumentName: "N",
    help: "weighted tokens of one turn (5000000); 0 is no limit",
  },
  {
    name: "context",
    long: "context",
    argument: "required",
    argumentName: "N",
    help: "tokens that fit the model's context, which is compacted at 80 % (128000)",
  },
  {
    name: "bash-timeout",
    long: "bash-timeout",
    argument: "required",
    argumentName: "SECONDS",
    help: "time of a command for which the model asks no other (30)",
  },
];

/** An option that sets a limit. */
export type LimitOption = "max-calls" | "max-tokens" | "context" | "bash-timeout";

/** The variables of every command that runs the coding agent. */
export const CODER_TERMS: readonly (readonly [name: string, about: string])[] = [
  ["LLM_AUTH_TOKEN", "key of the endpoint; else OPENAI_API_KEY"],
  ["LLM_BASE_URL", "the endpoint; else OPENAI_BASE_URL"],
  ["LLM_DEFAULT_MODEL", "model; else LLMCMD_MODEL"],
  ["LLMCMD_FIRST_TOKEN_TIMEOUT", "seconds until an answer begins (300)"],
  ["LLMCMD_MAX_RETRY_WAIT", "most seconds that a Retry-After is waited for (60)"],
];

/** The variables behind {@linkcode LIMIT_OPTIONS}. */
export const LIMIT_TERMS: readonly (readonly [name: string, about: string])[] = [
  ["LLMCMD_AGENT_MAX_CALLS", "as --max-calls"],
  ["LLMCMD_AGENT_MAX_TOKENS", "as --max-tokens"],
  ["LLMCMD_AGENT_CONTEXT", "as --context"],
  ["LLMCMD_AGENT_BASH_TIMEOUT", "as --bash-timeout"],
];
