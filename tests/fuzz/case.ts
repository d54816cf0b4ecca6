import type { Chunk } from "../../src/streams/mod.ts";
import { shellWord } from "../gnu/case.ts";

/** Words of a command line that belong together: an option and its argument, or an operand. */
export type Part = readonly string[];

/** One command on one input, made by the generators and reduced by the shrinker. */
export interface FuzzCase {
  readonly command: string;
  readonly parts: readonly Part[];
  readonly stdin: Chunk;
  /** True if standard input is a regular file, false for a pipe. */
  readonly seekable: boolean;
  /** Files in the working folder, by name. */
  readonly files: Readonly<Record<string, Chunk>>;
  /** Compare only the first `limit` bytes of standard output, and no status: for endless output. */
  readonly limit?: number;
}

/** The result of a command for a case. */
export interface FuzzOutcome {
  readonly stdout: Chunk;
  readonly stderr: string;
  readonly status: number;
  /** All files in the working folder afterwards. */
  readonly files: Readonly<Record<string, Chunk>>;
  /** True if it did not end in time, or wrote more output than is compared. */
  readonly endless?: boolean;
}

/** Seconds that either side may take for a case. */
export const SECONDS = 3;
/** The factor by which our side may take longer, as its input comes in chunks of a few bytes. */
export const OUR_SHARE = 3;
/** Bytes of output after which a case is stopped. */
export const MAX_OUTPUT = 4 << 20;

/** The words after the command's name. */
export function argumentsOf(test: FuzzCase): string[] {
  return test.parts.flat();
}

/** Bytes as a string of the same length. */
export function latin1(data: Uint8Array): string {
  let text = "";
  for (let i = 0; i < data.length; i += 8192) {
    text += String.fromCharCode(...data.subarray(i, i + 8192));
  }
  return text;
}

function printfWord(data: Uint8Array): string {
  const text = latin1(data.subarray(0, 400)).replace(
    // deno-lint-ignore no-control-regex
    /[\x00-\x1f\x7f-\xff\\%']/g,
    (character) =>
      character === "\n"
        ? "\\n"
        : character === "%"
        ? "%%"
        : `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`,
  );
  return `'${text}'${data.length > 400 ? " # and so on" : ""}`;
}

/** A command line that repeats the case in a shell in an empty folder. */
export function oneLiner(test: FuzzCase): string {
  const files = Object.entries(test.files).map(([name, data]) =>
    (name.includes("/") ? `mkdir -p ${shellWord(name.replace(/\/[^/]*$/, ""))}; ` : "") +
    `printf ${printfWord(data)} >${shellWord(name)}; `
  ).join("");
  const command = [test.command === "echo" ? "env echo" : test.command, ...argumentsOf(test)];
  const line = [command[0] ?? "", ...command.slice(1).map(shellWord)].join(" ");
  const input = `printf ${printfWord(test.stdin)}`;
  const run = test.seekable ? `${input} >in; ${line} <in` : `${input} | ${line}`;
  return `${files}${run}${test.limit === undefined ? "" : ` | head -c ${test.limit}`}`;
}
