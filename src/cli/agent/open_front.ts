import { columns, noColor, readEnv, stdinSource, stdoutSink, terminals } from "../../sys/mod.ts";
import type { CommandSession } from "../../terminal/mod.ts";
import { besideStatusLine, Messages } from "../messages/mod.ts";
import { AnswerFront } from "./answer_front.ts";
import type { AgentConsole } from "./console/mod.ts";
import { dumbLines } from "./dumb_lines.ts";
import type { Front } from "./front.ts";
import { openHistory, remembering } from "./history.ts";
import { JsonFront } from "./json_front.ts";
import { type LineInput, sourceLines } from "./lines.ts";
import { PlainFront } from "./plain_front.ts";
import { styleOf } from "./screen/mod.ts";
import { ScreenFront } from "./screen_front.ts";

/** Options that choose the display of a talk. */
export interface FrontOptions {
  /** Standard error. */
  readonly messages: Messages;
  readonly json: boolean;
  readonly quiet: boolean;
  /** True if the argument of `-p` is the only message. */
  readonly once: boolean;
  /** The folder of the history. */
  readonly stateFolder: string | undefined;
  warn(message: string): void;
  /** Stops the current work; false if there is none. */
  interrupt(): boolean;
}

/** The display of a talk and the source of its lines. */
export interface OpenFront {
  readonly front: Front;
  readonly lines: LineInput;
  /** The terminal, if it is used by the line editor. */
  readonly console?: AgentConsole;
  /** True if more is shown than the specification's lines. */
  readonly rich: boolean;
}

/** The input of `-p`, whose argument is the only message. */
const NO_LINES: LineInput = {
  next: () => Promise.resolve(undefined),
  close: () => Promise.resolve(),
};

/** Opens the display that the options and the terminal allow. */
export async function openFront(options: FrontOptions): Promise<OpenFront> {
  const { json, messages, once, quiet } = options;
  const terminal = terminals();
  const output = stdoutSink();
  const print = (bytes: Uint8Array<ArrayBuffer>) => output.write(bytes);
  const lines = (prompt?: () => Promise<void>) =>
    sourceLines(stdinSource(), (message) => messages.say(message), prompt);
  if (json) {
    const front = new JsonFront(print, messages);
    return { front, lines: once ? NO_LINES : lines(), rich: false };
  }
  if (once) {
    const beside = terminal.stdout && terminal.stderr ? besideStatusLine(output, messages) : output;
    const front = new AnswerFront({
      ...{ messages, quiet, columns, terminals: terminal },
      print: (bytes) => beside.write(bytes),
      style: styleOf(terminal.stderr && !noColor()),
      now: () => performance.now(),
    });
    return { front, lines: NO_LINES, rich: false };
  }
  if (!terminal.stdin || !terminal.stdout) {
    return { front: new PlainFront(print, messages), lines: lines(), rich: false };
  }
  const { TERM: term } = readEnv(["TERM"]);
  if (term.state !== "set" || term.value === "dumb") {
    // The terminal edits lines itself.
    const write = (text: string) => print(new TextEncoder().encode(text));
    const front = new PlainFront(print, messages);
    return { front, lines: dumbLines(lines, write), rich: false };
  }
  return await openScreen(options, print);
}

/** Opens a terminal whose lines are edited here. */
async function openScreen(
  { stateFolder, warn, interrupt, quiet, messages }: FrontOptions,
  write: (bytes: Uint8Array<ArrayBuffer>) => Promise<void>,
): Promise<OpenFront> {
  const { AgentConsole } = await import("./console/mod.ts");
  const history = await openHistory(stateFolder, warn);
  await messages.flush();
  const style = styleOf(!noColor() && !quiet);
  const terminal = await AgentConsole.open({ history: history.lines, style, write, interrupt });
  const front = quiet ? new QuietFront(terminal) : new ScreenFront(terminal, style);
  return { front, lines: remembering(terminal, history), console: terminal, rich: !quiet };
}

/** The specification's lines on a terminal whose lines are edited here. */
class QuietFront extends PlainFront {
  readonly #console: AgentConsole;

  constructor(terminal: AgentConsole) {
    const print = (bytes: Uint8Array) => terminal.print(new TextDecoder().decode(bytes));
    const sink = { write: print, close: () => Promise.resolve() };
    const plain = { terminal: false, color: false, columns: () => terminal.columns };
    super(print, new Messages({ sink, ...plain, name: "llmcmd agent" }));
    this.#console = terminal;
  }

  override async command(
    runner: CommandSession,
    command: string,
    signal: AbortSignal,
  ): Promise<void> {
    const { exitCode } = await this.#console.lend(() => runner.runAtTerminal(command, { signal }));
    if (exitCode !== 0 && exitCode !== null) await this.note(`[Exit code ${exitCode}]`);
  }
}
