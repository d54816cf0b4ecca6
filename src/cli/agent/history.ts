import { messageOf } from "../../base/mod.ts";
import { type AppendFile, appendFile, readTextFile } from "../../sys/mod.ts";
import type { LineInput } from "./lines.ts";

/** Lines that are kept; the file may hold twice as many. */
const MOST_LINES = 1000;

/** Earlier lines, and the file that receives new ones. */
export interface History {
  readonly lines: readonly string[];
  readonly file: AppendFile | undefined;
}

/** Opens the history in the state folder. Only one program at a time can add to it. */
export async function openHistory(
  folder: string | undefined,
  warn: (message: string) => void,
): Promise<History> {
  if (folder === undefined) return { lines: [], file: undefined };
  const path = `${folder}/agent_history.jsonl`;
  try {
    const file = await appendFile(path);
    const lines = (await readTextFile(path)).split("\n").flatMap(parseLine);
    if (lines.length > 2 * MOST_LINES) {
      await file?.truncate(0);
      const kept = lines.slice(-MOST_LINES).map((line) => `${JSON.stringify(line)}\n`);
      await file?.append(kept.join(""));
    }
    return { lines, file };
  } catch (error) {
    warn(messageOf(error));
    return { lines: [], file: undefined };
  }
}

function parseLine(text: string): string[] {
  try {
    const line: unknown = JSON.parse(text);
    return typeof line === "string" ? [line] : [];
  } catch {
    return [];
  }
}

/** Adds each line that is entered to a history. */
export function remembering(lines: LineInput, { file }: History): LineInput {
  return {
    async next() {
      const line = await lines.next();
      if (line !== undefined && line.trim() !== "") await file?.append(`${JSON.stringify(line)}\n`);
      return line;
    },
    ...lines.ask === undefined ? {} : { ask: lines.ask.bind(lines) },
    async close() {
      await lines.close();
      file?.close();
    },
  };
}
