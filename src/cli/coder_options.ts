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

/** The variables of every command that runs the coding agent. */
export const CODER_TERMS: readonly (readonly [name: string, about: string])[] = [
  ["LLM_AUTH_TOKEN", "key of the endpoint; else OPENAI_API_KEY"],
  ["LLM_BASE_URL", "the endpoint; else OPENAI_BASE_URL"],
  ["LLM_DEFAULT_MODEL", "model; else LLMCMD_MODEL"],
];
