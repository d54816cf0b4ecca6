import { InvalidArgument, matchChoice } from "../../core/mod.ts";
import type { GrepOption } from "./options.ts";
import { type ParsedArgument, type ParsedOption, UsageError } from "../../../command_line/mod.ts";

/** The patterns of an argument, or the file that contains them. */
export type PatternSource = { readonly text: string } | { readonly file: string };

/** Callbacks for actions that must happen in the order of the options. */
export interface SettingsHooks {
  /** Warns of obsolete options. */
  warn(message: string): void;
  /** Called for each file of patterns: GNU grep reads it before the next option. */
  patternFile(source: PatternSource): void;
}

/** The settings of a run of grep. */
export interface GrepSettings {
  readonly syntax: "basic" | "extended" | "fixed" | "perl";
  readonly ignoreCase: boolean;
  readonly whole: "line" | "word" | undefined;
  /** Patterns in order: texts, and files that hold patterns. */
  readonly patterns: readonly PatternSource[];
  readonly files: readonly string[];
  readonly separator: number;
  readonly invert: boolean;
  readonly maxCount: number;
  readonly onlyMatching: boolean;
  /** The kind of output: lines, a count for each file, names of files, or nothing. */
  readonly output: "lines" | "count" | "with" | "without" | "nothing";
  readonly silent: boolean;
  readonly binaryFiles: "binary" | "text" | "without-match";
  readonly skipFolders: boolean;
  readonly skipDevices: boolean;
  readonly showName: boolean;
  readonly showNumber: boolean;
  readonly showOffset: boolean;
  readonly tab: boolean;
  readonly nullAfterName: boolean;
  /** Lines of context; -1 if not given. */
  readonly before: number;
  readonly after: number;
  readonly groupSeparator: string | undefined;
  readonly color: boolean;
  readonly label: string;
  /** An option about folders, which are not supported. */
  readonly unsupported: string | undefined;
}

const BINARY_TYPES = ["binary", "text", "without-match"] as const;

/** Reads the settings from options and operands. */
export function readGrepSettings(
  items: Iterable<ParsedArgument<GrepOption>>,
  hooks: SettingsHooks,
): GrepSettings {
  const reader = new SettingsReader(hooks);
  for (const item of items) {
    if (item.kind === "operand") reader.operands.push(item.value);
    else reader.option(item);
  }
  return reader.settings();
}

/** No pattern was given: only the usage line is printed, without a message. */
export class MissingPattern extends UsageError {
  /** Creates the error. */
  constructor() {
    super("");
  }
}

class SettingsReader {
  readonly operands: string[] = [];
  readonly #given = new Set<GrepOption>();
  readonly #patterns: PatternSource[] = [];
  readonly #hooks: SettingsHooks;
  #unsupported: string | undefined;
  readonly #context = { before: -1, after: -1, both: -1 };
  #syntax: GrepSettings["syntax"] | undefined;
  #ignoreCase = false;
  #maxCount = Infinity;
  #showName: boolean | undefined;
  #list: "with" | "without" | undefined;
  #binaryFiles: GrepSettings["binaryFiles"] = "binary";
  #skipFolders = false;
  #skipDevices = false;
  #digits = "";
  #digitsOf = -1;
  #groupSeparator: string | undefined = "--";
  #color = false;
  #label = "(standard input)";

  constructor(hooks: SettingsHooks) {
    this.#hooks = hooks;
  }

  option(item: ParsedOption<GrepOption>): void {
    const { name, value } = item;
    this.#given.add(name);
    if (name >= "0" && name <= "9") this.#digit(name, item.index);
    else if (!this.#matcher(name, value) && !this.#format(name, value)) this.#files(item);
  }

  /** Reads `-NUM`: the digits of one word are one number. */
  #digit(digit: string, index: number): void {
    this.#digits = this.#digitsOf === index ? this.#digits + digit : digit;
    this.#digitsOf = index;
    this.#context.both = Number(this.#digits);
  }

  /** Reads options that control matching. */
  #matcher(name: GrepOption, value: string): boolean {
    switch (name) {
      case "basic":
      case "extended":
      case "fixed":
      case "perl":
        if (this.#syntax !== undefined && this.#syntax !== name) {
          throw new InvalidArgument("conflicting matchers specified");
        }
        this.#syntax = name;
        return true;
      case "regexp":
        this.#patterns.push({ text: value });
        return true;
      case "file": {
        const source = { file: value };
        this.#patterns.push(source);
        this.#hooks.patternFile(source);
        return true;
      }
      case "ignore-case":
      case "no-ignore-case":
        this.#ignoreCase = name === "ignore-case";
        return true;
      case "max-count": {
        const count = readInteger(value);
        if (Number.isNaN(count)) throw new InvalidArgument("invalid max count");
        this.#maxCount = count < 0 ? Infinity : count;
        return true;
      }
      default:
        return false;
    }
  }

  /** Reads options that control output. */
  #format(name: GrepOption, value: string): boolean {
    switch (name) {
      case "with-filename":
      case "no-filename":
        this.#showName = name === "with-filename";
        return true;
      case "files-with-matches":
        this.#list = "with";
        return true;
      case "files-without-match":
        this.#list = "without";
        return true;
      case "before":
        this.#context.before = readContext(value);
        return true;
      case "after":
        this.#context.after = readContext(value);
        return true;
      case "context":
        this.#context.both = readContext(value);
        return true;
      case "separator":
        this.#groupSeparator = value;
        return true;
      case "no-separator":
        this.#groupSeparator = undefined;
        return true;
      case "label":
        this.#label = value;
        return true;
      default:
        return false;
    }
  }

  /** Reads options that control input files, and the rest. */
  #files({ name, value, hasValue, as }: ParsedOption<GrepOption>): void {
    switch (name) {
      case "binary-files": {
        const type = BINARY_TYPES.find((each) => each === value);
        if (type === undefined) throw new InvalidArgument("unknown binary-files type");
        this.#binaryFiles = type;
        break;
      }
      case "text":
        this.#binaryFiles = "text";
        break;
      case "without-binary":
        this.#binaryFiles = "without-match";
        break;
      case "directories": {
        const action = matchChoice(value, "--directories", [["read"], ["recurse"], ["skip"]]);
        if (action === "recurse") this.#unsupported ??= `-d ${value}`;
        this.#skipFolders = action === "skip";
        break;
      }
      case "devices":
        if (value !== "read" && value !== "skip") {
          throw new InvalidArgument("unknown devices method");
        }
        this.#skipDevices = value === "skip";
        break;
      case "recursive":
      case "include":
      case "exclude":
      case "exclude-from":
      case "exclude-dir":
        this.#unsupported ??= as;
        break;
      case "color":
        this.#color = readColor(value, hasValue);
        break;
      case "unix-byte-offsets":
        this.#hooks.warn("--unix-byte-offsets (-u) is obsolete");
        break;
    }
  }

  settings(): GrepSettings {
    const given = this.#given;
    if (this.#patterns.length === 0) {
      const first = this.operands.shift();
      if (first === undefined) throw new MissingPattern();
      this.#patterns.push({ text: first });
    }
    const { before, after, both } = this.#context;
    const lines = given.has("count") ? "count" : "lines";
    return {
      syntax: this.#syntax ?? "basic",
      ignoreCase: this.#ignoreCase,
      whole: given.has("line") ? "line" : given.has("word") ? "word" : undefined,
      patterns: this.#patterns,
      files: this.operands,
      separator: given.has("null-data") ? 0 : 10,
      invert: given.has("invert"),
      maxCount: this.#maxCount,
      onlyMatching: given.has("only-matching"),
      output: given.has("quiet") ? "nothing" : this.#list ?? lines,
      silent: given.has("no-messages"),
      binaryFiles: this.#binaryFiles,
      skipFolders: this.#skipFolders,
      skipDevices: this.#skipDevices,
      showName: this.#showName ?? this.operands.length > 1,
      showNumber: given.has("line-number"),
      showOffset: given.has("byte-offset"),
      tab: given.has("initial-tab"),
      nullAfterName: given.has("null"),
      before: before < 0 ? both : before,
      after: after < 0 ? both : after,
      groupSeparator: this.#groupSeparator,
      color: this.#color,
      label: this.#label,
      unsupported: this.#unsupported,
    };
  }
}

/** Reads an integer; NaN if the text is not one. */
function readInteger(text: string): number {
  return /^[ \t\n\v\f\r]*[+-]?\d+$/.test(text) ? Number(text) : NaN;
}

function readContext(text: string): number {
  const number = readInteger(text);
  if (Number.isNaN(number) || number < 0) {
    throw new InvalidArgument(`${text}: invalid context length argument`);
  }
  return number;
}

function readColor(when: string, given: boolean): boolean {
  if (!given || ["auto", "tty", "if-tty"].includes(when)) return false;
  if (["always", "yes", "force"].includes(when)) return true;
  if (["never", "no", "none"].includes(when)) return false;
  throw new InvalidArgument(`invalid --color value ${when}: use always, never or auto`);
}
