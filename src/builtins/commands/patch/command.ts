import {
  InvalidArgument,
  type RefusedName,
  refusedOptions,
  standardOptions,
} from "../../core/mod.ts";
import { type CommandSpec, type ParsedArgument, UsageError } from "../../../command_line/mod.ts";
import { quoteName } from "../../text/mod.ts";

/** An option without an argument. */
function flag<Name extends string>(name: Name, short: string | undefined, help: string) {
  return { name, long: name, ...(short !== undefined && { short }), help };
}

/** An option with an argument. */
function valued<Name extends string>(
  name: Name,
  short: string | undefined,
  argumentName: string,
  help: string,
) {
  return { ...flag(name, short, help), argument: "required" as const, argumentName };
}

const flags = [
  flag("ignore-whitespace", "l", "ignore white space changes between patch and input"),
  flag("context", "c", "interpret the patch as a context diff"),
  flag("normal", "n", "interpret the patch as a normal diff"),
  flag("unified", "u", "interpret the patch as a unified diff"),
  flag("forward", "N", "ignore patches that appear to be reversed or already applied"),
  flag("reverse", "R", "assume patches were created with old and new files swapped"),
  flag("remove-empty-files", "E", "remove output files that are empty after patching"),
  flag("backup", "b", "back up the original contents of each file"),
  flag("backup-if-mismatch", undefined, "back up if a patch does not match exactly (the default)"),
  flag("no-backup-if-mismatch", undefined, "back up mismatches only if otherwise requested"),
  flag("batch", "t", "ask no questions; assume patches are reversed where they look so"),
  flag("force", "f", "ask no questions; assume patches are not reversed"),
  { ...flag("quiet", "s", "work silently unless an error occurs"), long: ["quiet", "silent"] },
  flag("verbose", undefined, "report every hunk, not only those that do not match exactly"),
  flag("dry-run", undefined, "do not change any files; print what would happen"),
  flag("binary", undefined, "keep carriage returns at ends of the patch's lines"),
];

const values = [
  valued("strip", "p", "NUM", "strip NUM leading components from file names"),
  valued("fuzz", "F", "LINES", "set the fuzz factor to LINES for inexact matching (default 2)"),
  valued("input", "i", "PATCHFILE", "read patch from PATCHFILE instead of standard input"),
  valued("output", "o", "FILE", "output patched files to FILE; - is standard output"),
  valued("reject-file", "r", "FILE", "output rejects to FILE; - drops them"),
  valued("suffix", "z", "SUFFIX", "append SUFFIX to backup file names (default .orig)"),
  valued("directory", "d", "DIR", "take all file names from DIR"),
];

/** The alternatives to an ed script. */
export const INSTEAD = "use a unified, context or git diff";

const refused = refusedOptions({
  "-e --ed": INSTEAD,
  "-B --prefix=": "",
  "-Y --basename-prefix=": "",
  "-V --version-control=": "",
  "--reject-format=": "",
  "-D --ifdef=": "",
  "--merge": "",
  "-Z --set-utc": "",
  "-T --set-time": "",
  "--quoting-style=": "",
  "-g --get=": "",
  "--posix": "",
  "--read-only=": "",
  "--follow-symlinks": "",
  "-x --debug=": "",
});

/** An option without an argument. */
export type Toggle = (typeof flags)[number]["name"];
type Valued = (typeof values)[number]["name"];

/** The options of `patch`. */
type PatchOption = Toggle | Valued;

/** The command line of `patch`. */
export const patchCommand: CommandSpec<PatchOption | "help" | "version" | RefusedName> = {
  name: "patch",
  usage: "[OPTION]... [ORIGFILE [PATCHFILE]]",
  summary: "Apply a diff to its files.",
  options: [
    ...values,
    ...flags,
    ...refused,
    ...standardOptions.map((option) =>
      option.name === "version" ? { ...option, short: "v" } : option
    ),
  ],
  // In the order of GNU's list.
  abbreviationOrder: ("backup prefix context batch directory ifdef ed remove-empty-files force " +
    "fuzz get input ignore-whitespace normal forward output strip reject-file reverse quiet " +
    "silent set-time unified version version-control debug basename-prefix suffix set-utc " +
    "dry-run verbose binary help backup-if-mismatch no-backup-if-mismatch posix quoting-style " +
    "reject-format read-only follow-symlinks").split(" "),
  epilogue: "Exit status is 0 if all hunks are applied, 1 if some cannot be, 2 if trouble.",
};

/** The settings from a command line of `patch`. */
export interface PatchSettings {
  readonly flags: ReadonlySet<Toggle>;
  /** The style that the first patch must have: the last of `-c`, `-n` and `-u`. */
  readonly only: "normal" | "unified" | "context" | undefined;
  /** True if files are backed up when a patch does not match exactly. */
  readonly backUpMismatch: boolean;
  readonly file: string | undefined;
  /** The patch file; `-` is standard input. */
  readonly input: string;
  /** Number of leading components to strip from names; -1 for all but the last. */
  readonly strip: number;
  readonly fuzz: number;
  readonly output: string | undefined;
  readonly reject: string | undefined;
  /** Suffix of backup names. */
  readonly suffix: string;
  /** The folder of `-d`; several are nested. */
  readonly folder: string | undefined;
}

/** Reads the settings from options and operands. */
export function readPatchSettings(items: Iterable<ParsedArgument<PatchOption>>): PatchSettings {
  const operands: string[] = [];
  const given = new Set<Toggle>();
  const texts = new Map<string, string>();
  let only: PatchSettings["only"];
  let backUpMismatch = true;
  for (const item of items) {
    if (item.kind === "operand") {
      operands.push(item.value);
      continue;
    }
    const { name, value } = item;
    const toggle = flags.find((each) => each.name === name)?.name;
    if (toggle !== undefined) given.add(toggle);
    else if (name === "directory") texts.set(name, inFolder(texts.get(name), value));
    else texts.set(name, value);
    if (name === "verbose") given.delete("quiet");
    if (name === "quiet") given.delete("verbose");
    if (name === "normal" || name === "unified" || name === "context") only = name;
    if (name === "strip") checkCount(value, "strip count");
    if (name === "fuzz") checkCount(value, "fuzz factor");
    if (name.endsWith("backup-if-mismatch")) backUpMismatch = name === "backup-if-mismatch";
    if ((name === "suffix" || name === "directory") && value === "") {
      throw new InvalidArgument(`**** ${name} is empty`);
    }
  }
  if (operands[2] !== undefined) throw new UsageError(`${quoteName(operands[2])}: extra operand`);
  return {
    flags: given,
    only,
    backUpMismatch,
    file: operands[0],
    input: (operands[1] ?? texts.get("input")) || "-",
    strip: Number(texts.get("strip") ?? -1),
    fuzz: Number(texts.get("fuzz") ?? 2),
    output: texts.get("output"),
    reject: texts.get("reject-file"),
    suffix: texts.get("suffix") ?? ".orig",
    folder: texts.get("directory"),
  };
}

/** A name relative to a folder. */
export function inFolder(folder: string | undefined, name: string): string {
  return folder === undefined || name === "" || name.startsWith("/") ? name : `${folder}/${name}`;
}

function checkCount(value: string, what: string): void {
  const problem = !/^[+-]?\d+$/.test(value)
    ? "not a number"
    : Number(value) < 0
    ? "negative"
    : Number(value) > MOST
    ? "too large"
    : undefined;
  if (problem === undefined) return;
  throw new InvalidArgument(`**** ${what} ${quoteName(value)} is ${problem}`);
}

/** The largest number in an option. */
const MOST = 2 ** 31 - 1;
