import { choice, commandPage, flag, list, notEmpty, value } from "../../command_line/mod.ts";
import { exitStatuses, HELP, port, wholeNumber } from "../pages/pages.ts";

/** The page of `llmcmd mcp`. */
export const MCP_PAGE = commandPage({
  name: "llmcmd mcp",
  usage: "[OPTION]...",
  summary: "Offer this machine's shell to an MCP client: the tools CliGetPlatform, CliRun, " +
    "CliSession, CliRead, CliWrite, CliStop and CliEnv, over standard input and output.",
  options: [
    flag("http", {
      help: "serve over HTTP at http://127.0.0.1:PORT/mcp, for clients with the key",
    }),
    value("port", {
      argument: "PORT",
      help: "listen there (8766); 0 takes a free one",
      read: port,
      usual: 8766,
    }),
    value("tools", {
      argument: "NAME,...",
      help: "offer these tools only",
      read: notEmpty,
    }),
    list("allow-dir", {
      argument: "FOLDER",
      help: "let commands start in this folder only, and write there; the first is where they " +
        "usually start; may be repeated (any, and the current one)",
      complete: "file",
    }),
    choice("sandbox", {
      argument: "KIND",
      help: "confine commands: auto, bwrap or none (auto)",
      words: ["auto", "bwrap", "none"],
      usual: "auto",
    }),
    value("shell", {
      argument: "PATH",
      help: "run commands with this shell (bash, else sh)",
      read: notEmpty,
      complete: "file",
    }),
    value("timeout", {
      argument: "SECONDS",
      help: "time limit of a command unless the model sets one, at most 600 (30)",
      read: wholeNumber(1, 600),
    }),
    value("max-sessions", {
      argument: "N",
      help: "terminal sessions that may run at once (16)",
      read: wholeNumber(1),
    }),
    choice("print-config", {
      argument: "CLIENT",
      help: "print what a client needs in its configuration, with the other options: claude, " +
        "vscode or codex",
      words: ["claude", "vscode", "codex"],
    }),
    HELP,
  ],
  examples: [
    { about: "What Claude Desktop or Claude Code needs", line: "llmcmd mcp --print-config claude" },
    { about: "Confined to a project", line: "llmcmd mcp --sandbox bwrap --allow-dir ~/project" },
    { about: "Over HTTP", line: "llmcmd mcp --http" },
  ],
  sections: [
    {
      title: "Environment",
      text: ["Commands get the environment without what looks like a secret."],
      terms: [
        ["XDG_STATE_HOME", "where the key of --http is kept, in llmcmd/key (~/.local/state)"],
      ],
    },
    exitStatuses([
      ["0", "the client has closed standard input"],
      ["1", "the address can't be listened on, the sandbox or the shell does not work"],
      ["2", "wrong usage"],
      ["4", "the file of the key can't be opened"],
    ]),
  ],
});
