import { isRecord, printable } from "../../base/mod.ts";
import { fit } from "../text/mod.ts";
import type { Style } from "./screen/mod.ts";

/** A call that has ended, for display. */
export interface EndedCall {
  readonly name: string;
  readonly input: unknown;
  readonly error: boolean;
  /** The result that the model reads. */
  readonly content: string;
  /** Details for display only; the model does not get them. */
  readonly details: unknown;
  readonly seconds: number;
  /** The last lines of a command's output. */
  readonly tail: readonly string[];
}

const CHECK = "\u2713";
const CROSS = "\u2717";
/** Most changed lines of a diff that are shown. */
const MOST_CHANGES = 10;

/** The subject of a call on one line, such as its path or its command. */
export function aboutCall(input: unknown): string {
  if (!isRecord(input)) return printable(JSON.stringify(input) ?? "");
  const { command, path, offset } = input;
  const about = typeof command === "string"
    ? command
    : typeof path === "string"
    ? `${path}${typeof offset === "number" && offset > 1 ? ` from line ${offset}` : ""}`
    : JSON.stringify(Object.values(input)[0]) ?? "";
  return printable(about.trim().replace(/\s+/g, " "));
}

/** A duration in words, such as `12 s`; empty below one second. */
export function secondsOf(seconds: number): string {
  if (seconds < 1) return "";
  const whole = Math.floor(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** A row of a call's name, subject and note, cut to the given columns. */
export function callRow(name: string, about: string, note: string, columns: number): string {
  const end = note === "" ? "" : `  ${note}`;
  const left = columns - name.length - 1 - end.length;
  return `${name} ${fit(about, Math.max(3, left))}`.trimEnd() + end;
}

/** The lines of a call that has ended: its name, then its changes or the reason of its failure. */
export function endedCall(call: EndedCall, style: Style, columns: number): string {
  const { name, input, error, seconds } = call;
  const mark = error ? style("bad", CROSS) : style("good", CHECK);
  const notes = [secondsOf(seconds), ending(call), written(call)].filter((it) => it !== "");
  const line = callRow(name, aboutCall(input), notes.join(", "), columns - 2);
  const below = (error ? failureRows(call) : changeRows(call)).map(({ mark, text }) =>
    style(mark, fit(`    ${text.replaceAll("\t", "    ")}`, columns))
  );
  return [`${mark} ${line}`, ...below].map((row) => `${row}\n`).join("");
}

interface Below {
  readonly mark: "good" | "bad" | "faint";
  readonly text: string;
}

/** The end of a command that failed, such as `exit code 2`; empty for all other calls. */
function ending({ error, details }: EndedCall): string {
  if (!error || !isRecord(details) || !("exitCode" in details)) return "";
  if (details.timedOut === true) return "timed out";
  if (details.aborted === true) return "stopped";
  return typeof details.exitCode === "number" ? `exit code ${details.exitCode}` : "killed";
}

/** A note if the call created a file; else empty. */
function written({ error, details }: EndedCall): string {
  if (error || !isRecord(details) || details.created !== true) return "";
  return "new file";
}

/** The last lines of a command that failed, or the first line of an error. */
function failureRows({ name, details, content, tail }: EndedCall): Below[] {
  if (isRecord(details) && "exitCode" in details) {
    return tail.map((text) => ({ mark: "faint", text }));
  }
  const [line = ""] = content.trim().split("\n");
  const first = line.startsWith(`${name}: `) ? line.slice(name.length + 2) : line;
  return first === "" ? [] : [{ mark: "bad", text: printable(first) }];
}

/** The changes of a call to a file that existed before. */
function changeRows({ details }: EndedCall): Below[] {
  if (!isRecord(details) || typeof details.diff !== "string" || details.created === true) return [];
  const changed: Below[] = details.diff.split("\n").slice(2).flatMap((line): Below[] => {
    if (line.startsWith("-")) return [{ mark: "bad", text: printable(line) }];
    return line.startsWith("+") ? [{ mark: "good", text: printable(line) }] : [];
  });
  const left = changed.length - MOST_CHANGES;
  // A row that says "1 more line" would take as much room as the line.
  if (left <= 1) return changed;
  return [...changed.slice(0, MOST_CHANGES), { mark: "faint", text: `... ${left} more lines` }];
}
