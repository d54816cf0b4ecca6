import {
  CODER_OPTIONS,
  CODER_TERMS,
  LIMIT_OPTIONS,
  LIMIT_TERMS,
  type LimitOption,
} from "./coder_options.ts";
import type { CommandPage } from "./command_page.ts";

/** Names of the options of `llmcmd agent`. */
export type AgentOption =
  | "prompt"
  | "json"
  | "continue"
  | "sandbox"
  | "allow-dir"
  | "model"
  | LimitOption
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
    ...LIMIT_OPTIONS,
    { name: "help", short: "h", long: "help", help: "print this help" },
  ],
  examples: [
    { about: "Talk", line: "llmcmd agent" },
    { about: "Do one thing", line: 'git diff | llmcmd agent -p "Review this"' },
  ],
  lists: [{
    title: "Environment",
    text: ["All but the last may also stand in ~/.llmcmdrc, as for llmcmd itself."],
    terms: [
      ...CODER_TERMS,
      ["LLM_SMALL_FAST_MODEL", "model for titles and summaries"],
      ...LIMIT_TERMS,
      ["XDG_STATE_HOME", "where sessions are kept, in llmcmd/sessions (~/.local/state)"],
    ],
  }, {
    title: "Exit status",
    text: [
      "0 in a terminal. With -p and in a pipe that of the first turn that failed: 3 for the " +
      "endpoint, 7 for the limits of calls and tokens; else as llmcmd itself.",
    ],
  }],
};
