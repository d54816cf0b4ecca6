import {
  choice,
  commandPage,
  flag,
  list,
  notEmpty,
  UsageError,
  value,
} from "../../command_line/mod.ts";
import { HELP } from "../pages/pages.ts";
import { nameOf, SETTINGS, variablesOf, variableTerms } from "../settings/mod.ts";

const { baseUrl, model } = SETTINGS;

/** The purpose of `llmcmd`, for the name line of its manual page. */
export const ABOUT = "let a language model do a task on files and pipes";

/** The page of `llmcmd` with all of its documentation. */
export const LLMCMD_PAGE = commandPage({
  name: "llmcmd",
  usage: ["[OPTION]... INSTRUCTIONS [FILE]...", "[OPTION]... -p INSTRUCTIONS [FILE]..."],
  summary: "Let a language model do a task on files and pipes. It sees standard input, the " +
    "input files and the output as descriptors, and works on them with four tools only (read, " +
    "write, pipe, exit) and built-in text commands; it starts no programs and opens no files.",
  options: [
    value("prompt", {
      short: "p",
      argument: "INSTRUCTIONS",
      help: "what to do, or @FILE with it, or - for standard input; all operands are then " +
        "input files",
      read: (text) => text,
      once: "put all instructions into one",
    }),
    list("input", {
      short: "i",
      argument: "FILE",
      help: "input file, may be repeated; - is standard input",
      complete: "file",
      read: (text) => text,
    }),
    value("output", {
      short: "o",
      argument: "FILE",
      help: "write there instead of standard output; FILE is replaced only when all went well",
      complete: "file",
      read: outputName,
    }),
    value("base-url", {
      argument: "URL",
      help: `${baseUrl.about} (${nameOf(baseUrl, "llmcmd")}, ${baseUrl.usual})`,
      read: notEmpty,
    }),
    value("model", {
      short: "m",
      argument: "NAME",
      help: `${model.about} (${nameOf(model, "llmcmd")}, ${model.usual})`,
      complete: ["gpt-4o", "gpt-4o-mini"],
      read: notEmpty,
    }),
    flag("verbose", { short: "v", help: "show on standard error what the model does" }),
    value("events", {
      argument: "FILE",
      help: "write every event as a line of JSON; - is standard error",
      complete: "file",
      read: notEmpty,
    }),
    flag("stats", { help: "print calls, tokens and seconds on standard error" }),
    flag("dry-run", {
      help: "print the first request to the model and send nothing; needs no key",
    }),
    value("config", {
      argument: "FILE",
      help: "read this configuration file instead of the usual ones",
      complete: "file",
      read: notEmpty,
    }),
    choice("completions", {
      argument: "SHELL",
      help: "print the completion script of bash, zsh or fish",
      words: ["bash", "zsh", "fish"],
      what: "completions for",
      ends: true,
    }),
    flag("man", { help: "print the manual page (for man -l -)", ends: true }),
    flag("version", { short: "V", help: "print the version", ends: true }),
    HELP,
  ],
  operands: "file",
  examples: [
    {
      about: "Filter and count",
      line: `llmcmd "Count the lines that mention 'error'" access.log`,
    },
    {
      about: "Work in a pipeline",
      line: `git log --oneline | llmcmd "Group these by topic, as Markdown" | less`,
    },
    {
      about: "Convert a file in place",
      line: `llmcmd -i a.csv -o a.csv "Sort by the second column"`,
    },
    { about: "Merge several files", line: `llmcmd "Merge these, drop duplicates" *.txt > all.txt` },
    { about: "See what would be sent", line: `llmcmd --dry-run "Translate to Japanese" notes.txt` },
  ],
  sections: [
    {
      title: "Inputs",
      text: [
        "Input files get descriptors from 3 in the order of the command line, -i and operands " +
        "alike. A file named - is a duplicate of standard input. INSTRUCTIONS that are the name " +
        "of a subcommand are given with -p, or after --. With -p, instructions that begin with " +
        "an @ take another one in front of it: -p @@home. With -p - nothing is left of standard " +
        "input, which then can't be an input file.",
      ],
      manual: true,
    },
    {
      title: "Output",
      text: [
        "Only what the model writes to descriptor 1 goes to standard output, or to the file of " +
        "-o. A final answer goes there too if nothing else did. With -o, the output takes the " +
        "place of FILE when the task was done: by the model's exit tool with code 0, or by a " +
        "final answer. Otherwise FILE stays as it was, and what there is of the new output is " +
        "kept in FILE.partial. Mode and symbolic links are kept, and FILE may be an input too. " +
        "FIFOs, devices, >(...) and descriptors such as /dev/stdout are written directly. Where " +
        "no file can be made beside FILE, the output is held in memory and written into it at " +
        "the end, and a warning says so.",
      ],
      manual: true,
    },
    {
      title: "Configuration",
      text: [
        "Lines KEY=value in ~/.llmcmdrc, then in $XDG_CONFIG_HOME/llmcmd/config (~/.config); the " +
        "first that has a key counts, and the environment counts before both. Empty lines, " +
        "lines that begin with #, quotes around the value and a leading export are allowed. " +
        "Bytes may be given as 64K, 20M or 1G.",
      ],
      terms: variableTerms("llmcmd"),
    },
    {
      title: "Permissions",
      text: [
        "Under deno run, --allow-read must cover the input and configuration files, " +
        "--allow-write and --allow-read the folder of the output file, --allow-net the host of " +
        "the endpoint, and --allow-env the variables above, HOME and XDG_CONFIG_HOME. A variable " +
        "that may not be read counts as not set. With --allow-write alone, the output is held in " +
        "memory until the end. A large sort needs the system's folder of temporary files. With " +
        "less, the message names the flag that is missing. For an input a.log and an output " +
        "b.txt in the working folder:",
      ],
      lines: [
        "deno run --no-prompt --allow-read=.,$HOME/.llmcmdrc --allow-write=. \\",
        "  --allow-net=api.openai.com \\",
        ...variableLines(["HOME", "XDG_CONFIG_HOME", ...variablesOf("llmcmd")]),
        '  jsr:@llmcmd/llmcmd/cli -o b.txt "Keep the errors" a.log',
      ],
      manual: true,
    },
    {
      title: "Exit status",
      text: ["The model's own with its exit tool, else:"],
      terms: [
        ["0", "all went well"],
        ["1", "general error"],
        ["2", "wrong usage or configuration, missing key"],
        ["3", "the API failed, or its answer was cut or empty"],
        ["4", "a file can't be read or written, or is over a limit"],
        ["5", "a permission of the sandbox is missing"],
        ["6", "time-out"],
        ["7", "limit of API calls or tokens reached"],
        ["130, 143", "ended by SIGINT or SIGTERM, as a shell sees it"],
        ["141", "the reader of standard output has gone"],
      ],
    },
  ],
});

/** The flag that grants variables, as lines of a shell command that fit a terminal. */
function variableLines(names: readonly string[]): string[] {
  const lines = ["  --allow-env="];
  for (const [at, name] of names.entries()) {
    const last = lines.at(-1) ?? "";
    const end = at === names.length - 1 ? "" : ",";
    if (last.length + name.length > 70) lines.push(name + end);
    else lines[lines.length - 1] = last + name + end;
  }
  return lines.map((line, at) => line + (at === lines.length - 1 ? " \\" : "\\"));
}

function outputName(text: string): string {
  if (text === "") throw new UsageError("the name of the output file is empty");
  return text;
}
