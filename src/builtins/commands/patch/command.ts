import { standardOptions } from "../../core/mod.ts";
import type { CommandSpec } from "../../../command_line/mod.ts";

/** Options without an argument. */
export type Toggle =
  | "ignoreSpace"
  | "forward"
  | "reverse"
  | "removeEmpty"
  | "backup"
  | "backupIfMismatch"
  | "noBackupIfMismatch"
  | "batch"
  | "force"
  | "silent"
  | "verbose"
  | "dryRun"
  | "binary"
  | "unified"
  | "normal"
  | "context"
  | "ed";

/** Options with one. */
export type Valued =
  | "strip"
  | "fuzz"
  | "input"
  | "output"
  | "reject"
  | "rejectFormat"
  | "prefix"
  | "basenamePrefix"
  | "suffix"
  | "directory"
  | "versionControl";

/** The options of `patch`. */
export type PatchOption = Toggle | Valued | `refused ${string}` | "help" | "version";

function refused(long: string, short?: string, argument?: "required" | "optional") {
  return {
    name: `refused ${long}` as const,
    long,
    ...(short !== undefined && { short }),
    ...(argument !== undefined && { argument }),
  };
}

const spec: CommandSpec<PatchOption> = {
  name: "patch",
  usage: "[OPTION]... [ORIGFILE [PATCHFILE]]",
  summary: "Apply a diff to its files.",
  options: [
    {
      name: "strip",
      short: "p",
      long: "strip",
      argument: "required",
      argumentName: "NUM",
      help: "strip NUM leading components from file names",
    },
    {
      name: "fuzz",
      short: "F",
      long: "fuzz",
      argument: "required",
      argumentName: "LINES",
      help: "set the fuzz factor to LINES for inexact matching (default 2)",
    },
    {
      name: "ignoreSpace",
      short: "l",
      long: "ignore-whitespace",
      help: "ignore white space changes between patch and input",
    },
    { name: "context", short: "c", long: "context", help: "interpret the patch as a context diff" },
    { name: "ed", short: "e", long: "ed", help: "interpret the patch as an ed script" },
    { name: "normal", short: "n", long: "normal", help: "interpret the patch as a normal diff" },
    { name: "unified", short: "u", long: "unified", help: "interpret it as a unified diff" },
    {
      name: "forward",
      short: "N",
      long: "forward",
      help: "ignore patches that appear to be reversed or already applied",
    },
    {
      name: "reverse",
      short: "R",
      long: "reverse",
      help: "assume patches were created with old and new files swapped",
    },
    {
      name: "input",
      short: "i",
      long: "input",
      argument: "required",
      argumentName: "PATCHFILE",
      help: "read patch from PATCHFILE instead of standard input",
    },
    {
      name: "output",
      short: "o",
      long: "output",
      argument: "required",
      argumentName: "FILE",
      help: "output patched files to FILE; - is standard output",
    },
    {
      name: "reject",
      short: "r",
      long: "reject-file",
      argument: "required",
      argumentName: "FILE",
      help: "output rejects to FILE; - drops them",
    },
    {
      name: "rejectFormat",
      long: "reject-format",
      argument: "required",
      argumentName: "FORMAT",
      help: "create 'context' or 'unified' rejects",
    },
    {
      name: "removeEmpty",
      short: "E",
      long: "remove-empty-files",
      help: "remove output files that are empty after patching",
    },
    {
      name: "backup",
      short: "b",
      long: "backup",
      help: "back up the original contents of each file",
    },
    {
      name: "backupIfMismatch",
      long: "backup-if-mismatch",
      help: "back up if the patch does not match exactly (the default)",
    },
    {
      name: "noBackupIfMismatch",
      long: "no-backup-if-mismatch",
      help: "back up mismatches only if otherwise requested",
    },
    {
      name: "versionControl",
      short: "V",
      long: "version-control",
      argument: "required",
      argumentName: "STYLE",
      help: "STYLE of backups: 'simple' or 'never'",
    },
    {
      name: "prefix",
      short: "B",
      long: "prefix",
      argument: "required",
      argumentName: "PREFIX",
      help: "prepend PREFIX to backup file names",
    },
    {
      name: "basenamePrefix",
      short: "Y",
      long: "basename-prefix",
      argument: "required",
      argumentName: "PREFIX",
      help: "prepend PREFIX to backup file basenames",
    },
    {
      name: "suffix",
      short: "z",
      long: "suffix",
      argument: "required",
      argumentName: "SUFFIX",
      help: "append SUFFIX to backup file names (default .orig)",
    },
    {
      name: "batch",
      short: "t",
      long: "batch",
      help: "ask no questions; assume patches are reversed where they look so",
    },
    {
      name: "force",
      short: "f",
      long: "force",
      help: "ask no questions; assume patches are not reversed",
    },
    {
      name: "silent",
      short: "s",
      long: ["quiet", "silent"],
      help: "work silently unless an error occurs",
    },
    { name: "verbose", long: "verbose", help: "tell more about the work being done" },
    {
      name: "dryRun",
      long: "dry-run",
      help: "do not change any files; print what would happen",
    },
    {
      name: "directory",
      short: "d",
      long: "directory",
      argument: "required",
      argumentName: "DIR",
      help: "take all file names from DIR",
    },
    { name: "binary", long: "binary", help: "keep carriage returns at ends of the patch's lines" },
    refused("ifdef", "D", "required"),
    refused("merge", undefined, "optional"),
    refused("set-utc", "Z"),
    refused("set-time", "T"),
    refused("quoting-style", undefined, "required"),
    refused("get", "g", "required"),
    refused("posix"),
    refused("read-only", undefined, "required"),
    refused("follow-symlinks"),
    refused("debug", "x", "required"),
    ...standardOptions.map((option) =>
      option.name === "version" ? { ...option, short: "v" } : option
    ),
  ],
  epilogue: "Exit status is 0 if all hunks are applied, 1 if some cannot be, 2 if trouble.",
};

/** The command line of `patch`; its long options are listed in GNU's order. */
export const patchCommand: CommandSpec<PatchOption> = {
  ...spec,
  abbreviationOrder: ("backup prefix context batch directory ifdef ed remove-empty-files force " +
    "fuzz get input ignore-whitespace normal forward output strip reject-file reverse quiet " +
    "silent set-time unified version version-control debug basename-prefix suffix set-utc " +
    "dry-run verbose binary help backup-if-mismatch no-backup-if-mismatch posix quoting-style " +
    "reject-format read-only follow-symlinks").split(" "),
};
