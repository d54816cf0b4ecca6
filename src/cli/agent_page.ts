import { CODER_OPTIONS, CODER_TERMS } from "./coder_options.ts";
import type { CommandPage } from "./command_page.ts";

/** Names of the options of `llmcmd agent`. */
export type AgentOption =
  | "prompt"
  | "json"
  | "continue"
  | "sandbox"
  | "allow-dir"
  | "model"
  | "help";

/** The subcommand `llmcmd agent`. */
export const AGENT_PAGE: CommandPage<AgentOption> = {
  name: "llmcmd agent",
  usage: "[OPTION]...",
  summary: "Talk with the coding agent, which works in the current folder. Each line of standard " +
    "input is a message; /help lists the commands, !COMMAND runs one in the shell.",
  options: [
    {
      name: "prompt",
      short: "p",
      long: "prompt",
      argument: "required",
      argumentName: "TEXT",
      help: "say only this, with what is piped to standard input below it",
    },
    { name: "json", long: "json", help: "print every event as a line of JSON" },
    {
      name: "continue",
      short: "c",
      long: "continue",
      help: "go on with the last session of the current folder",
    },
    ...CODER_OPTIONS,
    { name: "help", short: "h", long: "help", help: "print this help" },
  ],
  examples: [
    { about: "Talk", line: "llmcmd agent" },
    { about: "Do one thing", line: 'git diff | llmcmd agent -p "Review this"' },
  ],
  lists: [{
    title: "Environment",
    terms: [
      ...CODER_TERMS,
      ["LLM_SMALL_FAST_MODEL", "model for summaries"],
      ["LLMCMD_AGENT_MAX_CALLS", "API calls of one turn (100)"],
      ["LLMCMD_AGENT_MAX_TOKENS", "weighted tokens of one turn (5000000); 0 is no limit"],
      ["LLMCMD_AGENT_CONTEXT", "tokens that fit the model's context (128000)"],
      ["XDG_STATE_HOME", "where sessions are kept, in llmcmd/sessions (~/.local/state)"],
    ],
  }],
};
