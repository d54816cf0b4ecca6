import { InvalidArgument } from "../../core/mod.ts";
import { type ParsedArgument, UsageError } from "../../../command_line/mod.ts";
import type { PatchOption, Toggle, Valued } from "./command.ts";
import { quoteName } from "../../text/mod.ts";

/** Styles that an option can ask for. */
type Only = "normal" | "unified" | "context" | "ed";

/** What a command line of `patch` comes to. */
export interface PatchSettings {
  readonly flags: ReadonlySet<Toggle>;
  /** The style that the first patch must have: the last of `-c`, `-e`, `-n` and `-u`. */
  readonly only: Only | undefined;
  /** The style of rejects, if it is not the patch's own. */
  readonly rejectFormat: "context" | "unified" | undefined;
  /** Whether files are backed up where a patch does not match exactly. */
  readonly backUpMismatch: boolean;
  readonly file: string | undefined;
  /** The patch file; `-` is standard input. */
  readonly input: string;
  /** How many parts to take off names; -1 for all but the last. */
  readonly strip: number;
  readonly fuzz: number;
  readonly output: string | undefined;
  readonly reject: string | undefined;
  /** The folder of `-d`: each is in the one before. */
  readonly folder: string | undefined;
  /** The name of a file's backup. */
  backupName(name: string): string;
  /** Whether the folders of that backup are made. */
  makesBackupFolders(name: string): boolean;
  /** Puts a name into the folder of `-d`. */
  place(name: string): string;
}

/** Makes the settings of options and operands. */
export function readPatchSettings(items: Iterable<ParsedArgument<PatchOption>>): PatchSettings {
  const operands: string[] = [];
  const flags = new Set<Toggle>();
  const values = new Map<Valued, string>();
  let folder: string | undefined;
  let strip = -1;
  let fuzz = 2;
  let only: Only | undefined;
  let rejectFormat: "context" | "unified" | undefined;
  let backUpMismatch = true;
  for (const item of items) {
    if (item.kind === "operand") {
      operands.push(item.value);
      continue;
    }
    const { name, value, hasValue } = item;
    if (name.startsWith("refused ")) {
      throw new InvalidArgument(`**** option '${item.as}' is not supported`);
    }
    if (name === "help" || name === "version") continue;
    if (name === "directory") folder = inFolder(folder, value);
    else if (hasValue) values.set(name as Valued, value);
    else flags.add(name as Toggle);
    if (name === "verbose") flags.delete("silent");
    if (name === "silent") flags.delete("verbose");
    if (name === "normal" || name === "unified" || name === "context" || name === "ed") only = name;
    if (name === "rejectFormat") rejectFormat = rejectFormatOf(value);
    if (name === "strip") strip = count(value, "strip count");
    if (name === "fuzz") fuzz = count(value, "fuzz factor");
    if (name.endsWith("ackupIfMismatch")) backUpMismatch = name === "backupIfMismatch";
    if (value === "" && name in PARTS) {
      throw new InvalidArgument(`**** backup ${PARTS[name as keyof typeof PARTS]} is empty`);
    }
  }
  if (operands[2] !== undefined) throw new UsageError(`${quoteName(operands[2])}: extra operand`);
  const style = values.get("versionControl") ?? "simple";
  if (!["simple", "never"].includes(style)) {
    throw new InvalidArgument(
      `**** version control style '${style}' is not supported, only 'simple' and 'never'`,
    );
  }
  const prefix = values.get("prefix") ?? "";
  const basenamePrefix = values.get("basenamePrefix") ?? "";
  const suffix = values.get("suffix") ?? (prefix === "" && basenamePrefix === "" ? ".orig" : "");
  return {
    flags,
    only,
    rejectFormat,
    backUpMismatch,
    file: operands[0],
    input: (operands[1] ?? values.get("input")) || "-",
    strip,
    fuzz,
    output: values.get("output"),
    reject: values.get("reject"),
    backupName: (name) => {
      const slash = name.lastIndexOf("/") + 1;
      return prefix + name.slice(0, slash) + basenamePrefix + name.slice(slash) + suffix;
    },
    makesBackupFolders: (name) =>
      (prefix !== "" && (prefix + name).includes("/")) || basenamePrefix.includes("/"),
    folder,
    place: (name) => inFolder(folder, name),
  };
}

/** The parts of a backup's name that must not be empty. */
const PARTS = { prefix: "prefix", basenamePrefix: "basename prefix", suffix: "suffix" };

/** A name in a folder; an empty one, which is none, must not make it that of the root. */
function inFolder(folder: string | undefined, name: string): string {
  return folder === undefined || folder === "" || name.startsWith("/") ? name : `${folder}/${name}`;
}

function rejectFormatOf(value: string): "context" | "unified" {
  if (value === "context" || value === "unified") return value;
  throw new UsageError("");
}

function count(value: string, what: string): number {
  if (!/^[+-]?\d+$/.test(value)) {
    throw new InvalidArgument(`**** ${what} ${quoteName(value)} is not a number`);
  }
  const number = Number(value);
  if (number > MOST || number < -MOST - 1) {
    throw new InvalidArgument(`**** ${what} ${quoteName(value)} is too large`);
  }
  if (number < 0) throw new InvalidArgument(`**** ${what} ${quoteName(value)} is negative`);
  return number;
}

/** The greatest number of an option. */
const MOST = 2 ** 31 - 1;
