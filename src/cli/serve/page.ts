import { commandPage, flag, list, notEmpty, value } from "../../command_line/mod.ts";
import { CODER_OPTIONS } from "../coder_options/mod.ts";
import { exitStatuses, HELP, port, seconds } from "../pages/pages.ts";
import { variableTerms } from "../settings/mod.ts";

/** The page of `llmcmd serve`. */
export const SERVE_PAGE = commandPage({
  name: "llmcmd serve",
  usage: "[OPTION]...",
  summary: "Serve a chat with the coding agent, which works in the current folder, to the browser.",
  options: [
    value("host", {
      argument: "ADDRESS",
      help: "listen on this address (127.0.0.1)",
      read: notEmpty,
      usual: "127.0.0.1",
    }),
    value("port", {
      argument: "PORT",
      help: "listen there (8765); 0 takes a free one",
      read: port,
      usual: 8765,
    }),
    list("allow-host", {
      argument: "NAME",
      help: "answer to this host name too, such as a proxy's; may be repeated",
    }),
    value("token", {
      argument: "TOKEN",
      help: "accept this token instead of the stored one; other users of this machine " +
        "see it here, but not in LLMCMD_SERVE_TOKEN",
      read: notEmpty,
    }),
    value("linger", {
      argument: "SECONDS",
      help: "stop a turn this long after its last reader has left; by default it runs to its end",
      read: seconds,
    }),
    value("models", {
      argument: "FILE",
      help: "serve the CLI agents of this file of models too, as llmcmd proxy does: their API at " +
        "/v1, their page at /gateway, with the same token",
      read: notEmpty,
      complete: "file",
    }),
    flag("until-eof", {
      help: "also stop at the end of standard input, as when the parent process has ended",
    }),
    ...CODER_OPTIONS,
    HELP,
  ],
  examples: [
    { about: "Chat at the link that it prints, on port 8765", line: "llmcmd serve" },
    {
      about: "Without a real model",
      line: "LLM_BASE_URL=http://127.0.0.1:8000/v1 LLM_AUTH_TOKEN=x llmcmd serve",
    },
  ],
  sections: [
    {
      title: "Environment",
      text: ["All but the last two may also stand in ~/.llmcmdrc, as for llmcmd itself."],
      terms: [
        ...variableTerms("agent"),
        ...variableTerms("serve", ["token"]),
        [
          "XDG_STATE_HOME",
          "where sessions, also those of llmcmd agent, and the token are kept, in " +
          "llmcmd/web.sqlite and llmcmd/key " +
          "(~/.local/state)",
        ],
      ],
    },
    exitStatuses([
      ["0", "standard input has ended, with --until-eof"],
      ["1", "the address can't be listened on"],
      ["2", "wrong usage or configuration, missing key"],
      ["4", "the file of the sessions or of the token can't be opened"],
    ]),
  ],
});
