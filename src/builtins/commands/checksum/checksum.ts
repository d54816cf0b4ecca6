import type { CheckSettings } from "./check_settings.ts";
import { type ChecksumKind, digestOf } from "./kind.ts";
import type { Chunk } from "../../../streams/mod.ts";
import { builtinOf, openOperands, standardOptions } from "../../core/mod.ts";
import type { Builtin, BuiltinIo } from "../../builtin.ts";
import { checkSums } from "./check.ts";
import { escapeName } from "./line.ts";
import { type CommandSpec, type ParsedArgument, UsageError } from "../../../command_line/mod.ts";
import { quoteName, utf8 } from "../../text/mod.ts";

/** Options that need `--check`, in the order in which GNU's tools complain. */
const CHECK_ONLY = ["ignore-missing", "status", "warn", "quiet", "strict"] as const;

type Option =
  | typeof CHECK_ONLY[number]
  | "binary"
  | "check"
  | "tag"
  | "text"
  | "zero"
  | "help"
  | "version";

interface Settings extends CheckSettings {
  readonly files: readonly string[];
  readonly binary: boolean;
  readonly check: boolean;
  readonly tag: boolean;
  readonly zero: boolean;
}

function makeSpec(kind: ChecksumKind): CommandSpec<Option> {
  return {
    name: kind.command,
    usage: "[OPTION]... [FILE]...",
    summary:
      `Print the ${kind.label} checksum (${kind.bits} bits) of each FILE, or check files.\n\n` +
      "Standard input is read where FILE is - or no FILE is given.",
    abbreviationOrder: [
      "check",
      "ignore-missing",
      "quiet",
      "status",
      "warn",
      "strict",
      "tag",
      "zero",
      "binary",
      "text",
    ],
    options: [
      {
        name: "binary",
        short: "b",
        long: "binary",
        help: "mark files with * in the output; reading is the same",
      },
      {
        name: "check",
        short: "c",
        long: "check",
        help: "read lists of checksums from FILEs and check the files listed there",
      },
      { name: "tag", long: "tag", help: `print lines of the form ${kind.label} (FILE) = CHECKSUM` },
      {
        name: "text",
        short: "t",
        long: "text",
        help: "mark files with a space in the output (the default)",
      },
      {
        name: "zero",
        short: "z",
        long: "zero",
        help: "end each line with NUL, and print names without escapes",
      },
      {
        name: "ignore-missing",
        long: "ignore-missing",
        help: "with -c: ignore missing files",
      },
      {
        name: "quiet",
        long: "quiet",
        help: "with -c: print only the files that fail",
      },
      {
        name: "status",
        long: "status",
        help: "with -c: print nothing; the exit status is the result",
      },
      {
        name: "strict",
        long: "strict",
        help: "with -c: fail if a line is not a valid checksum line",
      },
      {
        name: "warn",
        short: "w",
        long: "warn",
        help: "with -c: report each line that is not a valid checksum line",
      },
      ...standardOptions,
    ],
    epilogue:
      `Checksums are those of ${kind.reference}. Lists for -c may have both forms of lines, mixed, ` +
      "and escaped names.",
  };
}

function readSettings(items: Iterable<ParsedArgument<Option>>): Settings {
  const files: string[] = [];
  const given = new Set<Option>();
  let binary: boolean | undefined;
  for (const item of items) {
    if (item.kind === "operand") {
      files.push(item.value);
      continue;
    }
    const { name } = item;
    if (name === "binary") binary = true;
    else if (name === "text") binary = false;
    // Each of these options overrides the others.
    if (name === "quiet" || name === "status" || name === "warn") {
      for (const other of ["quiet", "status", "warn"] as const) given.delete(other);
    }
    given.add(name);
    if (name === "tag") binary = true;
  }
  const check = given.has("check");
  if (given.has("tag") && binary === false) {
    throw new UsageError("--tag does not support --text mode");
  }
  if (given.has("zero") && check) {
    throw new UsageError("the --zero option is not supported when verifying checksums");
  }
  if (given.has("tag") && check) {
    throw new UsageError("the --tag option is meaningless when verifying checksums");
  }
  if (binary !== undefined && check) {
    throw new UsageError(
      "the --binary and --text options are meaningless when verifying checksums",
    );
  }
  const stray = CHECK_ONLY.find((name) => given.has(name));
  if (stray !== undefined && !check) {
    throw new UsageError(`the --${stray} option is meaningful only when verifying checksums`);
  }
  return {
    files,
    binary: binary ?? false,
    check,
    tag: given.has("tag"),
    zero: given.has("zero"),
    ignoreMissing: given.has("ignore-missing"),
    quiet: given.has("quiet"),
    status: given.has("status"),
    strict: given.has("strict"),
    warn: given.has("warn"),
  };
}

/** Creates the command for a digest. */
export function checksumCommand(kind: ChecksumKind): Builtin {
  return builtinOf(
    makeSpec(kind),
    readSettings,
    (settings, io) =>
      settings.check
        ? checkSums(settings.files, settings, kind, io)
        : printSums(settings, kind, io),
  );
}

async function* printSums(
  settings: Settings,
  kind: ChecksumKind,
  io: BuiltinIo,
): AsyncGenerator<Chunk, number, void> {
  const { binary, tag, zero } = settings;
  const end = zero ? "\0" : "\n";
  let status = 0;
  const inputs = openOperands(settings.files, io, (_problem, name, why) => {
    io.warn(`${kind.command}: ${quoteName(name)}: ${why}`);
    status = 1;
  });
  for await (const input of inputs) {
    const hex = await digestOf(input, kind);
    if (input.failed) continue;
    const escape = !zero && /[\\\n\r]/.test(input.name);
    const name = escape ? escapeName(input.name) : input.name;
    const line = tag ? `${kind.label} (${name}) = ${hex}` : `${hex} ${binary ? "*" : " "}${name}`;
    yield utf8((escape ? "\\" : "") + line + end);
  }
  return status;
}
