import { CODER_OPTIONS, CODER_TERMS } from "./coder_options.ts";
import type { CommandPage } from "./command_page.ts";

/** Names of the options of `llmcmd serve`. */
export type ServeOption =
  | "host"
  | "port"
  | "token"
  | "linger"
  | "until-eof"
  | "sandbox"
  | "allow-dir"
  | "model"
  | "help";

/** The subcommand `llmcmd serve`. */
export const SERVE_PAGE: CommandPage<ServeOption> = {
  name: "llmcmd serve",
  usage: "[OPTION]...",
  summary: "Serve a chat with the coding agent, which works in the current folder, to the browser.",
  options: [
    {
      name: "host",
      long: "host",
      argument: "required",
      argumentName: "ADDRESS",
      help: "listen on this address (127.0.0.1); any but this machine's own needs a token",
    },
    {
      name: "port",
      long: "port",
      argument: "required",
      argumentName: "PORT",
      help: "listen there (8765); 0 takes a free one",
    },
    {
      name: "token",
      long: "token",
      argument: "required",
      argumentName: "TOKEN",
      help: "answer only who brings it along; others of this machine see it here, but not in " +
        "LLMCMD_SERVE_TOKEN",
    },
    {
      name: "linger",
      long: "linger",
      argument: "required",
      argumentName: "SECONDS",
      help: "let a turn go on for so long after its last reader left (15)",
    },
    {
      name: "until-eof",
      long: "until-eof",
      help: "end also when standard input ends, as it does with the program that started this",
    },
    ...CODER_OPTIONS,
    { name: "help", short: "h", long: "help", help: "print this help" },
  ],
  examples: [
    { about: "Chat at http://127.0.0.1:8765/", line: "llmcmd serve" },
    {
      about: "Without a real model",
      line: "LLM_BASE_URL=http://127.0.0.1:8000/v1 LLM_AUTH_TOKEN=x llmcmd serve",
    },
  ],
  lists: [{
    title: "Environment",
    terms: [
      ...CODER_TERMS,
      ["LLM_SMALL_FAST_MODEL", "model for titles and summaries"],
      ["LLMCMD_SERVE_TOKEN", "the token, if --token is not given"],
      ["XDG_STATE_HOME", "where sessions are kept, in llmcmd/web.sqlite (~/.local/state)"],
    ],
  }],
};
