import { CODER_OPTIONS, CODER_TERMS } from "./coder_options.ts";
import type { CommandPage } from "./command_page.ts";

/** Names of the options of `llmcmd desktop`. */
export type DesktopOption = "window" | "browser" | "sandbox" | "allow-dir" | "model" | "help";

/** The subcommand `llmcmd desktop`. */
export const DESKTOP_PAGE: CommandPage<DesktopOption> = {
  name: "llmcmd desktop",
  usage: "[OPTION]...",
  summary: "Chat with the coding agent, which works in the current folder, in a window of its " +
    "own. Closing the window stops everything.",
  options: [
    {
      name: "window",
      long: "window",
      argument: "required",
      argumentName: "KIND",
      help:
        "auto, webview (by npm:webview-napi), browser (Chromium or one like it) or none, which " +
        "prints the address; auto takes the first that works (auto)",
      complete: ["auto", "webview", "browser", "none"],
    },
    {
      name: "browser",
      long: "browser",
      argument: "required",
      argumentName: "PROGRAM",
      help: "open the window with this Chromium, not with the first that is installed",
      complete: "file",
    },
    ...CODER_OPTIONS,
    { name: "help", short: "h", long: "help", help: "print this help" },
  ],
  examples: [
    { about: "Chat in a window", line: "llmcmd desktop" },
    {
      about: "In the system's webview, fetched if need be",
      line: "llmcmd desktop --window webview",
    },
  ],
  lists: [{
    title: "Permissions",
    text: [
      "Those of llmcmd serve: --allow-net of the endpoint and 127.0.0.1, --allow-env, --allow-read " +
      "and --allow-write of the working folder, the state folder and the folder of temporary " +
      "files, --allow-run of bash, python3 and bwrap. Bash starts the window too; a superuser's " +
      "Chromium also takes --allow-sys=uid.",
    ],
  }, {
    title: "Environment",
    terms: [
      ...CODER_TERMS,
      ["LLM_SMALL_FAST_MODEL", "model for titles and summaries"],
      [
        "XDG_STATE_HOME",
        "where sessions are kept, each folder's for itself, in llmcmd/web.sqlite (~/.local/state)",
      ],
    ],
  }],
};
