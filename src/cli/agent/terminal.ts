import { messageOf } from "../../base/mod.ts";
import {
  type AppendFile,
  appendFile,
  openLineEditor,
  readEnv,
  readTextFile,
  stdinSource,
} from "../../sys/mod.ts";
import { answered } from "./answered.ts";
import { type LineInput, sourceLines } from "./lines.ts";

/** What asks for a line. */
const PROMPT = "You: ";
/** Lines that are remembered; twice as many may be in the file. */
const MOST_LINES = 1000;

/**
 * The lines that are typed on this terminal, with a history that is kept in the state folder. A
 * dumb terminal edits them itself.
 */
export async function terminalLines(
  print: (bytes: Uint8Array<ArrayBuffer>) => Promise<void>,
  stateFolder: string | undefined,
  warn: (message: string) => void,
): Promise<LineInput> {
  const { TERM: term } = readEnv(["TERM"]);
  let first = true;
  /** What stands before the prompt. */
  const gap = () => {
    const text = first ? "" : "\n";
    first = false;
    return text;
  };
  const write = (text: string) => print(new TextEncoder().encode(text));
  if (term.state !== "set" || term.value === "dumb") {
    return closing(sourceLines(stdinSource(), () => write(gap() + PROMPT)), write);
  }
  const { lines: history, file } = await openHistory(stateFolder, warn);
  const editor = await openLineEditor({ prompt: PROMPT, history });
  return closing({
    async next() {
      await write(gap());
      const line = await editor.next();
      if (line !== undefined && line.trim() !== "") {
        await file?.append(`${JSON.stringify(line)}\n`);
      }
      return line;
    },
    ask: (question, signal) =>
      answered(question, {
        write,
        read: () => editor.answer(signal),
        keep: (line) => editor.keep(line),
      }),
    async close() {
      await editor.close();
      file?.close();
    },
  }, write);
}

/** Ends the line of the prompt when no other comes: the cursor stands behind it still. */
function closing(lines: LineInput, write: (text: string) => Promise<void>): LineInput {
  return {
    async next() {
      const line = await lines.next();
      if (line === undefined) await write("\n");
      return line;
    },
    ...lines.ask === undefined ? {} : { ask: lines.ask },
    close: () => lines.close(),
  };
}

interface History {
  readonly lines: readonly string[];
  readonly file: AppendFile | undefined;
}

/** The history; only one program at a time adds to it. */
async function openHistory(
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
