import { choice, commandPage, flag, list, notEmpty, value } from "../../command_line/mod.ts";
import { exitStatuses, HELP, port } from "../pages/pages.ts";

/** The page of `llmcmd proxy`. */
export const PROXY_PAGE = commandPage({
  name: "llmcmd proxy",
  usage: "[OPTION]...",
  summary:
    "Serve this machine's CLI agents (codex, qwen, gemini, claude, any command) as models of " +
    "the chat completions API.",
  options: [
    value("port", {
      argument: "PORT",
      help: "listen there (8788); 0 takes a free one",
      read: port,
      usual: 8788,
    }),
    value("host", {
      argument: "ADDRESS",
      help: "listen on this address (127.0.0.1)",
      read: notEmpty,
      usual: "127.0.0.1",
    }),
    list("allow-host", {
      argument: "NAME",
      help: "answer requests to this host name too; may be repeated",
    }),
    value("models", {
      argument: "FILE",
      help: "the models (models.json); it is read again when it has changed",
      read: notEmpty,
      usual: "models.json",
      complete: "file",
    }),
    choice("log", {
      argument: "FORMAT",
      words: ["text", "json"],
      help: "format of the line about each ended run on standard error: text (as usual) or json",
      usual: "text",
    }),
    flag("hash-key", { help: "print a new key, and its hash for apiKeys in the file of models" }),
    HELP,
  ],
  examples: [
    { about: "Serve the models of ./models.json", line: "llmcmd proxy" },
    {
      about: "Ask one",
      line: `curl -H "Authorization: Bearer $OPENAI_API_KEY" -H content-type:application/json ` +
        `-d '{"model":"codex-x","messages":[{"role":"user","content":"Hi"}]}' ` +
        "$OPENAI_BASE_URL/chat/completions",
    },
  ],
  sections: [
    {
      title: "Environment",
      terms: [
        ["HOME", "where the CLIs have their logins"],
        [
          "XDG_STATE_HOME",
          "where the key, worktrees and runs are kept, in llmcmd/ (~/.local/state)",
        ],
      ],
    },
    exitStatuses([
      ["1", "the address can't be listened on"],
      ["2", "wrong usage, or a mistake in the file of models"],
      ["4", "the file of models can't be read"],
    ]),
  ],
});
