import type { CommandPage } from "./command_page.ts";

/** Names of the options of `llmcmd mock`. */
export type MockOption = "port" | "host" | "scenarios" | "strict" | "help";

/** The subcommand `llmcmd mock`. */
export const MOCK_PAGE: CommandPage<MockOption> = {
  name: "llmcmd mock",
  usage: "[OPTION]...",
  summary: "Serve a mock language model with the chat completions API, which answers from " +
    "scenario files: POST /chat/completions and /v1/chat/completions, GET /v1/models, " +
    "GET /__mock/journal.",
  options: [
    {
      name: "port",
      long: "port",
      argument: "required",
      argumentName: "PORT",
      help: "listen there (8000); 0 takes a free one",
    },
    {
      name: "host",
      long: "host",
      argument: "required",
      argumentName: "ADDRESS",
      help: "listen on this address (127.0.0.1)",
    },
    {
      name: "scenarios",
      long: "scenarios",
      argument: "required",
      argumentName: "PATH",
      help: "scenario file, or a folder of .json files; may be repeated",
      complete: "file",
    },
    { name: "strict", long: "strict", help: "answer 400 where no scenario matches" },
    { name: "help", short: "h", long: "help", help: "print this help" },
  ],
  examples: [
    { about: "Serve one's own scenarios", line: "llmcmd mock --port 8000 --scenarios tests/llm/" },
    {
      about: "Use it",
      line: `OPENAI_API_KEY=x OPENAI_BASE_URL=http://127.0.0.1:8000/v1 llmcmd "hello world"`,
    },
  ],
  lists: [],
};
