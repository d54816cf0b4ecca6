import { choice, commandPage, flag, value } from "../../command_line/mod.ts";
import { CODER_OPTIONS, LIMIT_OPTIONS } from "../coder_options/mod.ts";
import { exitStatuses, HELP, words } from "../pages/pages.ts";
import { variableTerms } from "../settings/mod.ts";

/** The page of `llmcmd agent`. */
export const AGENT_PAGE = commandPage({
  name: "llmcmd agent",
  usage: "[OPTION]...",
  summary: "Talk with the coding agent, which works in the current folder. Each line of standard " +
    "input is a message; /help lists the commands, !COMMAND runs one in the shell.",
  options: [
    value("prompt", {
      short: "p",
      argument: "TEXT",
      help: "say only this, with what is piped to standard input below it",
      read: words,
    }),
    flag("quiet", {
      short: "q",
      help: "plain lines: no colours, live output and diffs; with -p the answer alone",
    }),
    flag("json", { help: "print every event as a line of JSON" }),
    flag("continue", { short: "c", help: "go on with the last session of the current folder" }),
    choice("tools", {
      argument: "KIND",
      help: "run commands with bash, as usual, or with the tools of llmcmd mcp (cli)",
      words: ["bash", "cli"],
      usual: "bash",
    }),
    ...CODER_OPTIONS,
    ...LIMIT_OPTIONS,
    HELP,
  ],
  insteadOfOperands: "give the message with -p",
  examples: [
    { about: "Talk", line: "llmcmd agent" },
    { about: "Do one thing", line: 'git diff | llmcmd agent -p "Review this"' },
  ],
  sections: [
    {
      title: "Environment",
      text: ["All but the last may also stand in ~/.llmcmdrc, as for llmcmd itself."],
      terms: [
        ...variableTerms("agent", LIMIT_OPTIONS.map(({ name }) => name)),
        [
          "XDG_STATE_HOME",
          "where sessions are kept, in llmcmd/web.sqlite, as those of llmcmd serve (~/.local/state)",
        ],
      ],
    },
    exitStatuses(
      [
        ["0", "all went well; in a terminal, however the turns ended"],
        ["1", "general error"],
        ["2", "wrong usage or configuration, missing key, input that is too long"],
        ["3", "the API failed, or its answer was cut"],
        ["4", "a file can't be read or written"],
        ["7", "limit of API calls or tokens reached"],
        ["141", "the reader of standard output has gone"],
      ],
      "With -p and in a pipe that of the first turn that failed:",
    ),
  ],
});
