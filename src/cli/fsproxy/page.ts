import {
  choice,
  commandPage,
  flag,
  list,
  notEmpty,
  optionalValue,
  UsageError,
  value,
} from "../../command_line/mod.ts";
import { exitStatuses, HELP } from "../pages/pages.ts";
import { parseSize, SIZES } from "../settings/mod.ts";

/** The page of `llmcmd fsproxy`. */
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
      help: "let COMMAND write FILE, which is replaced once COMMAND has ended with status 0",
      read: notEmpty,
      complete: "file",
    }),
    flag("llm", {
      help: "let COMMAND use the LLM of the usual settings, by the operations LLMCMD and QUOTA",
    }),
    value("quota", {
      argument: "BYTES",
      help: "bytes of all virtual files together, and of the layer of --overlay (1G); of virtual " +
        "files, what is above 16M is in a temporary file",
      read: quota,
      usual: 2 ** 30,
    }),
    optionalValue("overlay", {
      argument: "NAME",
      help:
        "keep what COMMAND writes to allowed files in a layer; look at it, apply it or discard " +
        "it with 'llmcmd overlay'",
      read: layerName,
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
    {
      about: "A program whose changes wait in a layer: look at them, then apply or discard them",
      line: "llmcmd fsproxy --overlay=try --allow rw:. -- python3 tool.py",
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
    {
      title: "Environment",
      terms: [["XDG_STATE_HOME", "where layers are kept, in llmcmd/overlays/ (~/.local/state)"]],
    },
    exitStatuses([
      ["0-255", "that of COMMAND; 128 + N where signal N ended it"],
      ["1", "the sandbox does not work, or COMMAND could not be started"],
      ["2", "wrong usage, the layer is in use, or with --llm a wrong setting or no key"],
      ["4", "the journal, the layer or FILE can't be written"],
      ["127", "there is no such COMMAND"],
    ]),
  ],
});

/** Reads the name of a layer, which is also the name of its folder. */
function layerName(text: string, as: string): string {
  if (/^[A-Za-z0-9][\w.-]{0,63}$/.test(text)) return text;
  const name = "up to 64 letters, digits, '.', '_' and '-'";
  throw new UsageError(`the argument of '${as}' is '${text}': give ${name}`);
}

function quota(text: string, as: string): number {
  const bytes = parseSize(text);
  if (bytes !== undefined) return bytes;
  throw new UsageError(`the argument of '${as}' is '${text}': give ${SIZES}`);
}
