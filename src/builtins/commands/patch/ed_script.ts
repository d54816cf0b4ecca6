import { LimitError } from "../../../streams/mod.ts";
import { countLines, HeldBytes, type HeldInput, LineFile, type Storage } from "../../hold/mod.ts";
import type { PatchLines, Wrapping } from "./lines.ts";
import { textBytes } from "./text.ts";

/** Most commands of one ed script. */
const MAX_COMMANDS = 500_000;

/**
 * A command of an ed script, as `diff -e` writes them: append, insert, change and delete lines, or
 * take the first character off them (`s/.//`).
 */
export interface EdCommand {
  readonly letter: "a" | "i" | "c" | "d" | "s";
  /** The addresses; `undefined` is the current line. */
  readonly from: number | undefined;
  readonly to: number | undefined;
  /** Its lines among those of the script: index of the first and how many. */
  readonly text: number;
  readonly size: number;
}

/** The command in a line, if it is one that GNU patch passes on to ed. */
export const ED_COMMAND =
  /^(?:(?<at>\d*)(?<append>[ai])|(?:(?<from>\d+)(?:,(?<to>\d+))?)?(?:(?<letter>[cd])|(?<cut>s\/\.\/\/)))[ \t]*\n$/;

/** An ed script: its commands, and the lines that they put in. */
export interface EdScript {
  readonly commands: readonly EdCommand[];
  readonly lines: LineFile;
  /** Whether the end of what the last command puts in is missing. */
  readonly cut: boolean;
  /** Releases the lines. */
  close(): Promise<void>;
}

/**
 * Reads an ed script to where it ends: at the first line that is no command.
 *
 * @throws {LimitError} If it has too many commands.
 */
export async function readEdScript(
  lines: PatchLines,
  wrapping: Wrapping,
  storage: Storage,
): Promise<EdScript> {
  const commands: EdCommand[] = [];
  const held = new HeldBytes(storage);
  let count = 0;
  let cut = false;
  for (;;) {
    const { at } = lines;
    const line = await lines.next(wrapping);
    const groups = ED_COMMAND.exec(line ?? "")?.groups;
    if (groups === undefined) {
      // Comments before it will be counted again, as GNU's does.
      lines.seek(at, line === undefined ? lines.number : lines.number - 1);
      break;
    }
    if (commands.length === MAX_COMMANDS) {
      throw new LimitError(
        { name: "ed commands", max: MAX_COMMANDS },
        `The ed script has more than ${MAX_COMMANDS} commands; make a unified diff instead`,
      );
    }
    const letter = letterOf(groups["append"] ?? groups["letter"]);
    const text = count;
    if (letter === "a" || letter === "i" || letter === "c") {
      for (;;) {
        const more = await lines.next(wrapping, true);
        cut = more === undefined;
        if (more === undefined || more === ".\n") break;
        await held.add(textBytes(more));
        count++;
      }
    }
    commands.push({
      letter,
      from: address(groups["at"] ?? groups["from"]),
      to: address(groups["to"]),
      text,
      size: count - text,
    });
  }
  const bytes: HeldInput = await held.finish();
  const file = await LineFile.of(bytes);
  await countLines([file, file], { ends: [0, 0], lines: [0, 0] });
  return { commands, lines: file, cut, close: () => bytes.close() };
}

function letterOf(text: string | undefined): EdCommand["letter"] {
  return text === "a" || text === "i" || text === "c" || text === "d" ? text : "s";
}

function address(digits: string | undefined): number | undefined {
  return digits === undefined || digits === "" ? undefined : Number(digits);
}
