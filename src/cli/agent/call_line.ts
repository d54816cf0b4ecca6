import { isRecord, printable } from "../../base/mod.ts";
import { fit } from "../text/mod.ts";
import type { Style } from "./screen/mod.ts";

/** A call that has ended, as people see it. */
export interface EndedCall {
  readonly name: string;
  readonly input: unknown;
  readonly error: boolean;
  /** What the model reads. */
  readonly content: string;
  /** What only watchers see. */
  readonly details: unknown;
  readonly seconds: number;
  /** The last lines of a command's output. */
  readonly tail: readonly string[];
}

const CHECK = "\u2713";
const CROSS = "\u2717";
/** Most lines of a diff. */
const MOST_CHANGES = 10;

/** What a call is about, on one line: a path, a command. */
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

/** Seconds where they are worth telling: ` 12 s`. */
export function secondsOf(seconds: number): string {
  if (seconds < 1) return "";
  const whole = Math.floor(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** A name, what it is about and a note behind it, cut so that they take at most so many columns. */
export function callRow(name: string, about: string, note: string, columns: number): string {
  const end = note === "" ? "" : `  ${note}`;
  const left = columns - name.length - 1 - end.length;
  return `${name} ${fit(about, Math.max(3, left))}`.trimEnd() + end;
}

/** A call that has ended: a line with its name, and what it changed or why it failed below. */
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

/** How a command ended, unless all went well. */
function ending({ error, details }: EndedCall): string {
  if (!error || !isRecord(details) || !("exitCode" in details)) return "";
  if (details.timedOut === true) return "timed out";
  if (details.aborted === true) return "stopped";
  return typeof details.exitCode === "number" ? `exit code ${details.exitCode}` : "killed";
}

/** That a file is new. */
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

/** What a call has changed in a file that was there. */
function changeRows({ details }: EndedCall): Below[] {
  if (!isRecord(details) || typeof details.diff !== "string" || details.created === true) return [];
  const changed: Below[] = details.diff.split("\n").slice(2).flatMap((line): Below[] => {
    if (line.startsWith("-")) return [{ mark: "bad", text: printable(line) }];
    return line.startsWith("+") ? [{ mark: "good", text: printable(line) }] : [];
  });
  const left = changed.length - MOST_CHANGES;
  // One more line takes as much room as saying that there is one.
  if (left <= 1) return changed;
  return [...changed.slice(0, MOST_CHANGES), { mark: "faint", text: `... ${left} more lines` }];
}
