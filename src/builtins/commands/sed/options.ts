import { standardOptions } from "../../core/mod.ts";
import {
  type CommandSpec,
  formatHelp,
  parseOptions,
  UsageError,
} from "../../../command_line/mod.ts";
import type { SedOptions } from "./program.ts";
import type { ScriptDialect } from "./script.ts";

/** The names of sed's options. */
export type SedOption =
  | "quiet"
  | "debug"
  | "expression"
  | "file"
  | "follow"
  | "in-place"
  | "line-length"
  | "posix"
  | "extended"
  | "separate"
  | "sandbox"
  | "unbuffered"
  | "null"
  | "binary"
  | "help"
  | "version";

/** sed's option table. */
export const sedCommand: CommandSpec<SedOption> = {
  name: "sed",
  usage: "[OPTION]... {script-only-if-no-other-script} [input-file]...",
  summary: "Edit each line of the input files, or of standard input, with a script.\n\n" +
    "Without -e or -f the first operand is the script.",
  abbreviationOrder: [
    "binary",
    "regexp-extended",
    "debug",
    "expression",
    "file",
    "in-place",
    "line-length",
    "null-data",
    "zero-terminated",
    "quiet",
    "posix",
    "silent",
    "sandbox",
    "separate",
    "unbuffered",
    "version",
    "help",
    "follow-symlinks",
  ],
  options: [
    {
      name: "quiet",
      short: "n",
      long: ["quiet", "silent"],
      help: "print lines only if the script prints them",
    },
    { name: "debug", long: "debug", help: "not supported" },
    {
      name: "expression",
      short: "e",
      long: "expression",
      argument: "required",
      argumentName: "SCRIPT",
      help: "add SCRIPT to the commands",
    },
    {
      name: "file",
      short: "f",
      long: "file",
      argument: "required",
      argumentName: "FILE",
      help: "add the contents of FILE to the commands",
    },
    { name: "follow", long: "follow-symlinks", help: "follow symbolic links with -i" },
    {
      name: "in-place",
      short: "i",
      long: "in-place",
      argument: "optional",
      argumentName: "SUFFIX",
      help: "edit files in place; with SUFFIX, keep the original under a name with SUFFIX",
    },
    {
      name: "line-length",
      short: "l",
      long: "line-length",
      argument: "required",
      argumentName: "N",
      help: "line length of the command l in columns (default 70); 0 means no limit",
    },
    { name: "posix", long: "posix", help: "switch off all GNU extensions" },
    {
      name: "extended",
      short: "E",
      long: "regexp-extended",
      help: "use extended regular expressions",
    },
    { name: "extended", short: "r", help: "the same as -E" },
    {
      name: "separate",
      short: "s",
      long: "separate",
      help: "process files separately, not as one long stream",
    },
    { name: "sandbox", long: "sandbox", help: "reject the commands e, r and w" },
    { name: "unbuffered", short: "u", long: "unbuffered", help: "pass on each line immediately" },
    {
      name: "null",
      short: "z",
      long: ["null-data", "zero-terminated"],
      help: "lines end with NUL, not newline",
    },
    { name: "binary", short: "b", long: "binary", help: "(ignored)" },
    ...standardOptions,
  ],
};

/** A part of the script from the command line. */
export type ScriptOption =
  & { readonly dialect: ScriptDialect }
  & ({ readonly text: string } | { readonly file: string });

/** The settings of a run of sed. */
export interface SedSettings {
  readonly options: SedOptions;
  /** The parts of the script in order. */
  readonly pieces: readonly ScriptOption[];
  /** The files to edit. */
  readonly files: readonly string[];
  /**
   * Reason for ending the command before it starts, if any: wrong usage, or `--help` and
   * `--version`. As in GNU sed, the parts of the script before that option are still read, and may
   * be invalid.
   */
  readonly stop: UsageError | Answer | undefined;
}

/** The text of `--help` or `--version`, which is printed instead of running a script. */
export class Answer extends Error {
  /** The error's name. */
  override readonly name = "Answer";
}

/** Reads the command line. */
export function readSedSettings(args: readonly string[]): SedSettings {
  const pieces: ScriptOption[] = [];
  const operands: string[] = [];
  const given = new Set<SedOption>();
  let inPlace: string | undefined;
  let lineLength = 70;
  let stop: SedSettings["stop"];
  // As in GNU sed, an option after a part of the script does not affect how that is read.
  const dialect = (): ScriptDialect => ({
    extended: given.has("extended"),
    posix: given.has("posix"),
    sandbox: given.has("sandbox"),
    separator: given.has("null") ? 0 : 10,
  });
  try {
    for (const item of parseOptions(args, sedCommand)) {
      if (item.kind === "operand") {
        operands.push(item.value);
        continue;
      }
      const { name, value } = item;
      given.add(name);
      if (name === "help") throw new Answer(formatHelp(sedCommand));
      if (name === "version") throw new Answer("sed (llmcmd builtins)\n");
      if (name === "debug") throw new UsageError("--debug is not supported");
      if (name === "expression") pieces.push({ dialect: dialect(), text: value });
      else if (name === "file") pieces.push({ dialect: dialect(), file: value });
      else if (name === "in-place") inPlace = value;
      else if (name === "line-length") lineLength = Number.parseInt(value, 10) || 0;
    }
    if (pieces.length === 0) {
      const script = operands.shift();
      if (script === undefined) throw new UsageError("");
      pieces.push({ dialect: dialect(), text: script });
    }
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof Answer)) throw error;
    stop = error;
  }
  const options: SedOptions = {
    posix: given.has("posix"),
    quiet: given.has("quiet"),
    separate: given.has("separate") || inPlace !== undefined,
    separator: given.has("null") ? 0 : 10,
    lineLength,
    unbuffered: given.has("unbuffered"),
    followLinks: given.has("follow"),
    inPlace,
  };
  return { options, pieces, files: operands, stop };
}
