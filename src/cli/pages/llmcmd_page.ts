import type { CommandPage } from "./command_page.ts";

/** Names of the options of `llmcmd`. */
export type LlmcmdOption =
  | "prompt"
  | "input"
  | "output"
  | "model"
  | "verbose"
  | "events"
  | "stats"
  | "dry-run"
  | "config"
  | "completions"
  | "man"
  | "version"
  | "help";

/** The command `llmcmd`: its options and all of its documentation. */
export const LLMCMD_PAGE: CommandPage<LlmcmdOption> = {
  name: "llmcmd",
  usage: ["[OPTION]... INSTRUCTIONS [FILE]...", "[OPTION]... -p INSTRUCTIONS [FILE]..."],
  summary: "Let a language model do a task on files and pipes. It sees standard input, the " +
    "input files and the output as descriptors, and works on them with four tools only (read, " +
    "write, pipe, exit) and built-in text commands; it starts no programs and opens no files.",
  options: [
    {
      name: "prompt",
      short: "p",
      long: "prompt",
      argument: "required",
      argumentName: "INSTRUCTIONS",
      help: "what to do; all operands are then input files",
    },
    {
      name: "input",
      short: "i",
      long: "input",
      argument: "required",
      argumentName: "FILE",
      help: "input file, may be repeated; - is standard input",
      complete: "file",
    },
    {
      name: "output",
      short: "o",
      long: "output",
      argument: "required",
      argumentName: "FILE",
      help: "write there instead of standard output; FILE is replaced only when all went well",
      complete: "file",
    },
    {
      name: "model",
      short: "m",
      long: "model",
      argument: "required",
      argumentName: "NAME",
      help: "the model (LLMCMD_MODEL, gpt-4o-mini)",
      complete: ["gpt-4o", "gpt-4o-mini"],
    },
    {
      name: "verbose",
      short: "v",
      long: "verbose",
      help: "tell on standard error what the model does",
    },
    {
      name: "events",
      long: "events",
      argument: "required",
      argumentName: "FILE",
      help: "write every event as a line of JSON; - is standard error",
      complete: "file",
    },
    { name: "stats", long: "stats", help: "print calls, tokens and seconds on standard error" },
    {
      name: "dry-run",
      long: "dry-run",
      help: "print the first request to the model and send nothing; needs no key",
    },
    {
      name: "config",
      long: "config",
      argument: "required",
      argumentName: "FILE",
      help: "read this configuration file instead of ~/.llmcmdrc",
      complete: "file",
    },
    {
      name: "completions",
      long: "completions",
      argument: "required",
      argumentName: "SHELL",
      help: "print the completion script of bash, zsh or fish",
      complete: ["bash", "zsh", "fish"],
    },
    { name: "man", long: "man", help: "print the manual page (for man -l -)" },
    { name: "version", short: "V", long: "version", help: "print the version" },
    { name: "help", short: "h", long: "help", help: "print this help" },
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
  lists: [
    {
      title: "Inputs",
      text: [
        "Input files get descriptors from 3 in the order of the command line, -i and operands " +
        "alike. A file named - is a duplicate of standard input. INSTRUCTIONS that are the name " +
        "of a subcommand are given with -p, or after --.",
      ],
      manual: true,
    },
    {
      title: "Output",
      text: [
        "Only what the model writes to descriptor 1 goes to standard output, or to the file of " +
        "-o. A final answer goes there too if nothing else did. With -o, the output takes the " +
        "place of FILE when the run ends normally: by the model's exit tool, with any code, or " +
        "by a final answer. Otherwise FILE stays as it was, and what there is of the new output " +
        "is kept in FILE.partial. Mode and symbolic links are kept, FILE may be an input too, " +
        "and FIFOs and devices are written directly.",
      ],
      manual: true,
    },
    {
      title: "Configuration",
      text: [
        "Lines KEY=value in ~/.llmcmdrc, then in $XDG_CONFIG_HOME/llmcmd/config (~/.config); the " +
        "first that has a key counts, and the environment counts before both. Empty lines, " +
        "lines that begin with #, quotes around the value and a leading export are allowed.",
      ],
      terms: [
        ["OPENAI_API_KEY", "the key (required)"],
        ["OPENAI_BASE_URL", "the endpoint (https://api.openai.com/v1)"],
        ["LLMCMD_MODEL", "the model (gpt-4o-mini)"],
        ["LLMCMD_MAX_INPUT_BYTES", "most bytes of one input (10485760)"],
        ["LLMCMD_MAX_OUTPUT_BYTES", "most bytes of output (10485760)"],
        ["LLMCMD_READ_BUFFER_SIZE", "bytes of one read, if the model doesn't say (4096)"],
        ["LLMCMD_MAX_API_CALLS", "most calls of the API, retries counted (50)"],
        ["LLMCMD_TIMEOUT", "seconds after which the run is stopped (300)"],
        ["LLMCMD_MAX_TOKENS_BUDGET", "most tokens of the run, weighted (0: no limit)"],
        ["LLMCMD_FIRST_TOKEN_TIMEOUT", "seconds until an answer begins (those of the run)"],
        ["LLMCMD_MAX_RETRY_WAIT", "most seconds that a Retry-After is waited for (60)"],
      ],
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
      line: "deno run --no-prompt --allow-read=.,$HOME/.llmcmdrc --allow-write=. \\\n" +
        "  --allow-net=api.openai.com \\\n" +
        "  --allow-env=HOME,XDG_CONFIG_HOME,OPENAI_API_KEY,OPENAI_BASE_URL,LLMCMD_MODEL,\\\n" +
        "LLMCMD_MAX_INPUT_BYTES,LLMCMD_MAX_OUTPUT_BYTES,LLMCMD_READ_BUFFER_SIZE,\\\n" +
        "LLMCMD_MAX_API_CALLS,LLMCMD_TIMEOUT,LLMCMD_MAX_TOKENS_BUDGET,\\\n" +
        "LLMCMD_FIRST_TOKEN_TIMEOUT,LLMCMD_MAX_RETRY_WAIT \\\n" +
        '  jsr:@llmcmd/llmcmd/cli -o b.txt "Keep the errors" a.log',
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
        ["141", "the reader of standard output has gone"],
      ],
    },
  ],
};
