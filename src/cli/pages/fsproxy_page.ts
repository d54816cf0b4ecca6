import {
  choice,
  commandPage,
  flag,
  list,
  notEmpty,
  UsageError,
  value,
} from "../../command_line/mod.ts";
import { parseSize, SIZES } from "../sizes.ts";
import { exitStatuses, HELP } from "./common.ts";

/** The subcommand `llmcmd fsproxy`. */
export const FSPROXY_PAGE = commandPage({
  name: "llmcmd fsproxy",
  usage: "[OPTION]... -- COMMAND [ARGUMENT]...",
  summary:
    "Run COMMAND with the FS proxy protocol on its descriptor 3: there it opens, reads and " +
    "writes the files that are allowed, and virtual ones that are gone with it.",
  operands: "file",
  stopAtOperand: true,
  options: [
    list("allow", {
      argument: "[r:|w:|rw:]PATH",
      help: "let COMMAND read (r:, as usual), write (w:) or both (rw:) a file, or a folder with " +
        "all that is in it; may be repeated",
    }),
    list("input", {
      short: "i",
      argument: "FILE",
      help: "the same as --allow r:FILE",
      complete: "file",
    }),
    value("output", {
      short: "o",
      argument: "FILE",
      help: "let COMMAND write FILE; it takes its place when COMMAND has ended with status 0",
      read: notEmpty,
      complete: "file",
    }),
    flag("llm", {
      help: "let COMMAND use the LLM of the usual settings, by the operations LLMCMD and QUOTA",
    }),
    value("quota", {
      argument: "BYTES",
      help: "bytes of all virtual files together (1G); what is above 16M is in a temporary file",
      read: quota,
      usual: 2 ** 30,
    }),
    value("journal", {
      argument: "FILE",
      help: "write a line of JSON there for whatever is opened, closed, changed and refused",
      read: notEmpty,
      complete: "file",
    }),
    choice("sandbox", {
      argument: "MODE",
      words: ["none", "bwrap"],
      help: "what confines COMMAND: none (as usual), or bwrap: it sees the system's files only, " +
        "and no network",
      usual: "none",
    }),
    list("show", {
      argument: "PATH",
      help: "with --sandbox bwrap: let COMMAND see this, too, such as its own program",
      complete: "file",
    }),
    flag("verbose", { short: "v", help: "say at the end what was read, written and refused" }),
    HELP,
  ],
  examples: [
    {
      about: "A program that reads one file and writes another, and can reach nothing else",
      line: "llmcmd fsproxy --allow r:in.csv --allow w:out.csv --sandbox bwrap --show tool.py -- " +
        "python3 tool.py",
    },
    {
      about: "A program that has the LLM summarize a file",
      line: "llmcmd fsproxy --llm -i in.txt -o out.txt -- python3 tool.py",
    },
  ],
  sections: [
    {
      title: "Files",
      terms: [
        ["allowed", "as --allow and --input say; w: empties a file when it is opened with mode w"],
        ["virtual", "any other relative path below this folder, whatever is really there"],
        ["refused", "all else: absolute paths, and those that lead out of this folder"],
      ],
    },
    exitStatuses([
      ["0-255", "that of COMMAND; 128 + N where signal N ended it"],
      ["1", "the sandbox does not work, or COMMAND could not be started"],
      ["2", "wrong usage, or with --llm a wrong setting or no key"],
      ["4", "the journal or FILE can't be written"],
      ["127", "there is no such COMMAND"],
    ]),
  ],
});

function quota(text: string, as: string): number {
  const bytes = parseSize(text);
  if (bytes !== undefined) return bytes;
  throw new UsageError(`the argument of '${as}' is '${text}': give ${SIZES}`);
}
