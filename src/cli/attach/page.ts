import { commandPage, UsageError, value } from "../../command_line/mod.ts";
import { exitStatuses, HELP } from "../pages/pages.ts";

/** Reads a key that is held with Ctrl, or `none`. */
function controlKey(text: string, as: string): string {
  const key = /^(?:ctrl\+|\^)([a-z\]\\^_])$/i.exec(text)?.[1]?.toLowerCase();
  if (key !== undefined && !"hijm".includes(key)) return key;
  if (text === "none") return text;
  throw new UsageError(
    key === undefined
      ? `the argument of '${as}' is '${text}': give ctrl+LETTER, one of ctrl+] ctrl+\\ ctrl+^ ctrl+_, ` +
        "or none"
      : `the argument of '${as}' is '${text}', which terminals send for another key, too`,
  );
}

/** The page of `llmcmd attach`. */
export const ATTACH_PAGE = commandPage({
  name: "llmcmd attach",
  usage: "[OPTION]... [SESSION]",
  summary: "Join a terminal session that an agent has started with CliSession, by llmcmd mcp, " +
    "llmcmd serve or llmcmd agent --tools cli: see its screen, and type into it, such as a " +
    "password that the model must not see. Ctrl+] leaves it, or another key. Without SESSION, " +
    "list those that can be joined.",
  operands: "name",
  options: [
    value("escape", {
      argument: "KEY",
      help: "leave with this key (ctrl+]), which is not sent then: ctrl+LETTER, ctrl+\\, ctrl+^, " +
        "ctrl+_; none sends all keys, and closing the terminal leaves",
      read: controlKey,
      usual: "]",
      complete: ["ctrl+]", "ctrl+^", "none"],
    }),
    HELP,
  ],
  examples: [
    { about: "List the sessions that can be joined", line: "llmcmd attach" },
    { about: "Join one", line: "llmcmd attach session-1a2b3c" },
    {
      about: "Join one with a program that needs Ctrl+]",
      line: "llmcmd attach --escape ctrl+^ vim",
    },
    { about: "Join the one of that server", line: "llmcmd attach build@4711" },
  ],
  sections: [
    {
      title: "What the model sees",
      text: [
        "What the session shows, as before: of what is typed, that which the program or the " +
        "terminal echoes, and so no password that is asked for without echo. Its results say that " +
        "a person has joined. Meanwhile the session has the size of this terminal, or of the " +
        "smallest one that has joined, and does not end while it is idle.",
      ],
    },
    {
      title: "Permissions",
      text: [
        "--allow-net, for Unix sockets; --allow-read and --allow-write of the folder that they are " +
        "in; --allow-env of the variables below. The server needs the same.",
      ],
    },
    {
      title: "Environment",
      terms: [
        [
          "XDG_STATE_HOME",
          "where the sockets are, in llmcmd/attach (~/.local/state); the same as for the server",
        ],
        ["XDG_RUNTIME_DIR", "where they are, in llmcmd, if that path is too long for a socket"],
      ],
    },
    exitStatuses([
      ["0", "it was left, or has ended; or the list was printed"],
      ["1", "the server has died"],
      ["2", "wrong usage: no such session, or no terminal"],
      ["4", "the folder of the sockets can't be used"],
    ]),
  ],
});
