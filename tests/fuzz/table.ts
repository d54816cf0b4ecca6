import type { Random } from "../../src/regex/_testing.ts";
import { runOurs } from "../../src/builtins/_testing.ts";
import type { Part } from "./case.ts";

/** One row of a command's option table. */
export interface TableRow {
  readonly short: string | undefined;
  readonly longs: readonly string[];
  readonly takes: "none" | "required" | "optional";
  /** The name of the argument in the help. */
  readonly argumentName: string;
}

/** Reads the option rows of a help text, which commands print from their option tables. */
export function readTable(help: string): TableRow[] {
  const rows: TableRow[] = [];
  for (const line of help.split("\n")) {
    if (!/^ {2}-|^ {6}--/.test(line)) continue;
    const label = (line.trim().split(/ {2,}/)[0] ?? "").replace(/ (?!-)(?=\S)/, "\0");
    let short: string | undefined;
    const longs: string[] = [];
    let takes: TableRow["takes"] = "none";
    let argumentName = "";
    for (const spelling of label.split(", ")) {
      const match = /^(--?)([^=\[\0]+)(?:(\[=?|=|\0)(.*))?$/.exec(spelling);
      if (match === null) continue;
      if (match[1] === "-") short = match[2];
      else if (match[2] !== undefined) longs.push(match[2]);
      if (match[3] === undefined) continue;
      takes = match[3].startsWith("[") ? "optional" : "required";
      argumentName = match[4] ?? "";
      if (takes === "optional") argumentName = argumentName.replace(/\]$/, "");
    }
    if (short !== undefined || longs.length > 0) rows.push({ short, longs, takes, argumentName });
  }
  return rows;
}

/** A command's option table. `hidden` are rows that the help leaves out, in its format. */
export async function tableOf(command: string, hidden: readonly string[]): Promise<TableRow[]> {
  const { stdout } = await runOurs(command, { args: ["--help"] });
  const rows = readTable(`${new TextDecoder().decode(stdout)}\n${hidden.join("\n")}`);
  return rows.filter(({ longs }) => !longs.includes("help") && !longs.includes("version"));
}

/** The name of a row in lists: its first long spelling, else the short one. */
export function rowName(row: TableRow): string {
  return row.longs[0] ?? row.short ?? "";
}

/** An option in one of its spellings. */
export function spell(random: Random, row: TableRow, value: () => string): Part {
  const { short, longs, takes } = row;
  const long = longs.length === 0 ? undefined : random.pick(longs);
  if (short !== undefined && (long === undefined || random.chance(65))) {
    if (takes === "none" || (takes === "optional" && random.chance(50))) return [`-${short}`];
    const text = value();
    return text !== "" && (takes === "optional" || random.chance(50))
      ? [`-${short}${text}`]
      : [`-${short}`, text];
  }
  const name = long ?? "";
  const cut = random.chance(8) ? name.slice(0, 1 + random.int(name.length)) : name;
  if (takes === "none" || (takes === "optional" && random.chance(40))) return [`--${cut}`];
  const text = value();
  return takes === "optional" || random.chance(70) ? [`--${cut}=${text}`] : [`--${cut}`, text];
}
