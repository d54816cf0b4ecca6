import { choice, commandPage, notEmpty, value } from "../../command_line/mod.ts";
import { CODER_OPTIONS } from "../coder_options/mod.ts";
import { exitStatuses, HELP } from "../pages/pages.ts";
import { variableTerms } from "../settings/mod.ts";

/** The page of `llmcmd desktop`. */
export const DESKTOP_PAGE = commandPage({
  name: "llmcmd desktop",
  usage: "[OPTION]...",
  summary: "Chat with the coding agent, which works in the current folder, in a window of its " +
    "own. Closing the window stops everything.",
  options: [
    choice("window", {
      argument: "KIND",
      help:
        "auto, webview (by npm:webview-napi), browser (Chromium or one like it) or none, which " +
        "prints the address; auto takes the first that works (auto)",
      words: ["auto", "webview", "browser", "none"],
      usual: "auto",
    }),
    value("browser", {
      argument: "PROGRAM",
      help: "open the window with this Chromium, not with the first that is installed",
      complete: "file",
      read: notEmpty,
    }),
    ...CODER_OPTIONS,
    HELP,
  ],
  examples: [
    { about: "Chat in a window", line: "llmcmd desktop" },
    {
      about: "In the system's webview, fetched if need be",
      line: "llmcmd desktop --window webview",
    },
  ],
  sections: [
    {
      title: "Permissions",
      text: [
        "Those of llmcmd serve: --allow-net of the endpoint and 127.0.0.1, --allow-env, --allow-read " +
        "and --allow-write of the working folder, the state folder and the folder of temporary " +
        "files, --allow-run of bash, python3 and bwrap. Bash starts the window too; a superuser's " +
        "Chromium also takes --allow-sys=uid.",
      ],
    },
    {
      title: "Environment",
      text: ["All but the last may also stand in ~/.llmcmdrc, as for llmcmd itself."],
      terms: [
        ...variableTerms("agent"),
        [
          "XDG_STATE_HOME",
          "where sessions are kept, in llmcmd/web.sqlite, as those of llmcmd agent (~/.local/state)",
        ],
      ],
    },
    exitStatuses([
      ["0", "the window was closed"],
      ["1", "the window that was asked for can't be opened"],
      ["2", "wrong usage or configuration, missing key"],
      ["4", "the file of the sessions can't be opened"],
    ]),
  ],
});
