import {
  InvalidArgument,
  readDecimal,
  type RefusedName,
  refusedOptions,
  standardOptions,
} from "../../core/mod.ts";
import type { CommandSpec, ParsedArgument } from "../../../command_line/mod.ts";
import { quoteAlways, utf8 } from "../../text/mod.ts";

/** The names in column's option table. */
export type ColumnOption =
  | "table"
  | "names"
  | "limit"
  | "order"
  | "right"
  | "hide"
  | "noHeadings"
  | "keepEmpty"
  | "separators"
  | "joiner"
  | "width"
  | "rows";

/** The option table of `column`. */
export const columnCommand: CommandSpec<ColumnOption | "help" | "version" | RefusedName> = {
  name: "column",
  usage: "[OPTION]... [FILE]...",
  summary:
    "Print the lines of all FILEs in columns: with -t the fields of each line as a row of a " +
    "table, otherwise as many lines side by side as fit.\n\nStandard input is read where FILE is - or " +
    "no FILE is given.",
  abbreviationOrder: [
    "table",
    "table-columns",
    "table-columns-limit",
    "table-hide",
    "table-name",
    "table-noextreme",
    "table-noheadings",
    "table-order",
    "table-right",
    "table-truncate",
    "table-wrap",
    "table-empty-lines",
    "table-header-repeat",
    "tree",
    "tree-id",
    "tree-parent",
  ],
  options: [
    { name: "table", short: "t", long: "table", help: "make a table, a row for each line" },
    {
      name: "separators",
      short: "s",
      long: "separator",
      argument: "required",
      argumentName: "CHARACTERS",
      help: "each of CHARACTERS ends a field; without it, fields are separated by blanks",
    },
    {
      name: "joiner",
      short: "o",
      long: "output-separator",
      argument: "required",
      argumentName: "TEXT",
      help: "put TEXT between the columns of a table, not two spaces",
    },
    {
      name: "names",
      short: "N",
      long: "table-columns",
      argument: "required",
      argumentName: "NAMES",
      help: "names of the columns, separated by commas: the heading of the table",
    },
    {
      name: "noHeadings",
      short: "d",
      long: "table-noheadings",
      help: "print no heading; the names can still be used in other options",
    },
    {
      name: "right",
      short: "R",
      long: "table-right",
      argument: "required",
      argumentName: "COLUMNS",
      help: "align these columns at the right",
    },
    {
      name: "hide",
      short: "H",
      long: "table-hide",
      argument: "required",
      argumentName: "COLUMNS",
      help: "leave these columns out; - stands for those without a name",
    },
    {
      name: "order",
      short: "O",
      long: "table-order",
      argument: "required",
      argumentName: "COLUMNS",
      help: "print these columns first, in this order",
    },
    {
      name: "limit",
      short: "l",
      long: "table-columns-limit",
      argument: "required",
      argumentName: "COUNT",
      help: "make at most COUNT columns; the last one contains the rest of the line",
    },
    {
      name: "keepEmpty",
      short: "L",
      long: ["keep-empty-lines", "table-empty-lines"],
      help: "keep empty lines, too",
    },
    {
      name: "width",
      short: "c",
      long: "output-width",
      argument: "required",
      argumentName: "WIDTH",
      help: "without -t, fill lines of WIDTH columns (default 80)",
    },
    {
      name: "rows",
      short: "x",
      long: "fillrows",
      help: "without -t, fill rows before columns",
    },
    ...refusedOptions({
      "-E --table-noextreme=": "",
      "-T --table-truncate=": "",
      "-W --table-wrap=": "",
      "-n --table-name=": "",
      "-r --tree=": "",
      "-i --tree-id=": "",
      "-p --tree-parent=": "",
      "-J --json": "",
      "-e --table-header-repeat": "",
    }),
    ...standardOptions,
  ],
  epilogue: "COLUMNS are names or numbers from 1, separated by commas; 0 stands for all.",
};

/** Settings of a table. */
export interface TableSettings {
  /** Names of the first columns; `undefined` if not given. */
  readonly names: readonly string[] | undefined;
  readonly headings: boolean;
  readonly right: readonly string[];
  readonly hide: readonly string[];
  readonly order: readonly string[];
  /** Maximum number of columns; `Infinity` for no limit. */
  readonly limit: number;
  /** The characters that separate fields; `undefined` for runs of blanks. */
  readonly separators: string | undefined;
  /** Text between columns. */
  readonly joiner: Uint8Array;
}

/** The settings from a command line of `column`. */
export interface ColumnSettings {
  readonly files: readonly string[];
  /** Settings of the table; `undefined` if lines are printed side by side. */
  readonly table: TableSettings | undefined;
  /** True if lines of white space are kept as empty lines. */
  readonly keepEmpty: boolean;
  /** Width of the output in terminal columns, for lines side by side. */
  readonly width: number;
  /** True if rows are filled before columns. */
  readonly rows: boolean;
}

const MOST = 2n ** 32n - 1n;
const DEFAULT_WIDTH = 80;

/** Reads the settings from a parsed command line. */
export function readColumnSettings(items: Iterable<ParsedArgument<ColumnOption>>): ColumnSettings {
  const files: string[] = [];
  const given = new Set<ColumnOption>();
  const texts = new Map<ColumnOption, string>();
  let limit = Infinity;
  let width = DEFAULT_WIDTH;
  for (const item of items) {
    if (item.kind === "operand") {
      files.push(item.value);
      continue;
    }
    const { name, value } = item;
    given.add(name);
    texts.set(name, value);
    if (name === "width") width = readNumber(value, "columns");
    else if (name === "limit") {
      limit = readNumber(value, "columns limit");
      if (limit === 0) throw new InvalidArgument("columns limit must be greater than zero");
    }
  }
  const isTable = given.has("table");
  if (isTable && given.has("rows")) {
    throw new InvalidArgument("mutually exclusive arguments: --table --fillrows");
  }
  const forTables = ["names", "right", "hide", "order"] as const;
  if (!isTable && forTables.some((name) => given.has(name))) {
    throw new InvalidArgument("option --table required for all --table-*");
  }
  const list = (name: ColumnOption): string[] => texts.get(name)?.split(",") ?? [];
  const table: TableSettings | undefined = !isTable ? undefined : {
    names: given.has("names") ? list("names").filter((name) => name !== "") : undefined,
    headings: !given.has("noHeadings"),
    right: list("right"),
    hide: list("hide"),
    order: list("order"),
    limit,
    separators: texts.get("separators"),
    joiner: utf8(texts.get("joiner") ?? "  "),
  };
  return { files, table, keepEmpty: given.has("keepEmpty"), width, rows: given.has("rows") };
}

function readNumber(text: string, what: string): number {
  const value = readDecimal(text, true);
  const message = `invalid ${what} argument: ${quoteAlways(text)}`;
  if (value === undefined) throw new InvalidArgument(message);
  if (value >= 0n && value <= MOST) return Number(value);
  throw new InvalidArgument(`${message}: Numerical result out of range`);
}
