import { commandPage, flag, list, notEmpty, value } from "../../command_line/mod.ts";
import { exitStatuses, HELP, port } from "../pages/pages.ts";

/** The page of `llmcmd mock`. */
export const MOCK_PAGE = commandPage({
  name: "llmcmd mock",
  usage: "[OPTION]...",
  summary:
    "Serve a mock language model, which answers from scenario files, with the APIs of chat " +
    "completions, Responses, Messages and Gemini: POST /v1/chat/completions, /v1/responses, " +
    "/v1/messages and the like, GET /v1/models, GET /__mock/journal.",
  options: [
    value("port", {
      argument: "PORT",
      help: "listen there (8000); 0 takes a free one",
      read: port,
      usual: 8000,
    }),
    value("host", {
      argument: "ADDRESS",
      help: "listen on this address (127.0.0.1)",
      read: notEmpty,
      usual: "127.0.0.1",
    }),
    list("scenarios", {
      argument: "PATH",
      help: "scenario file, or a folder of .json files; may be repeated",
      complete: "file",
    }),
    flag("strict", { help: "answer 400 where no scenario matches" }),
    HELP,
  ],
  insteadOfOperands: "give files with --scenarios",
  examples: [
    { about: "Serve one's own scenarios", line: "llmcmd mock --port 8000 --scenarios tests/llm/" },
    {
      about: "Use it",
      line: `OPENAI_API_KEY=x OPENAI_BASE_URL=http://127.0.0.1:8000/v1 llmcmd "hello world"`,
    },
  ],
  sections: [exitStatuses([
    ["1", "the address can't be listened on"],
    ["2", "wrong usage, or an invalid scenario file"],
    ["4", "a scenario file can't be read"],
  ])],
});
