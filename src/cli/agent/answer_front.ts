import type { AgentEvent } from "../../agent/mod.ts";
import { printable, withoutColours } from "../../base/mod.ts";
import type { CommandSession } from "../../terminal/mod.ts";
import type { Messages } from "../messages/mod.ts";
import { capturedCommand, endingOf } from "./captured_command.ts";
import { type Front, toldOf } from "./front.ts";
import { type Style, WordWrap } from "./screen/mod.ts";
import { TurnView } from "./turn_view.ts";
import { toolLine } from "./view.ts";

/** Options of an {@linkcode AnswerFront}. */
export interface AnswerOptions {
  /** Writes to standard output, which gets only the answer. */
  print(bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  /** Standard error: the calls, the model's text before them, and messages. */
  readonly messages: Messages;
  /** True for each output that is a terminal. */
  readonly terminals: { readonly stdout: boolean; readonly stderr: boolean };
  /** True to leave out calls and the model's text before them. */
  readonly quiet: boolean;
  readonly style: Style;
  /** Columns of the terminal; called again for each line. */
  readonly columns: () => number;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
}

/** Milliseconds between two redraws of the status line. */
const FRAME = 1000;

/**
 * Output of `-p`: only the final answer goes to standard output. A message with calls is not the
 * answer, and calls come last, so a text is held until its message is complete. If both outputs are
 * terminals, they look the same to the user, and the text is shown as it comes.
 */
export class AnswerFront implements Front, Disposable {
  readonly #options: AnswerOptions;
  readonly #view: TurnView;
  readonly #wrap: WordWrap;
  readonly #shows: boolean;
  #text = "";
  /** Line breaks that are printed only when text follows. */
  #breaks = "";
  /** True once a part of this message's text has been shown. */
  #open = false;
  /**
   * True once the answer is printed. The status line then stays away, as a pipe may write the
   * answer to the same terminal.
   */
  #answered = false;
  #timer: ReturnType<typeof setInterval> | undefined;

  /** Shows nothing yet. */
  constructor(options: AnswerOptions) {
    this.#options = options;
    const { style, columns, now, terminals, quiet } = options;
    this.#view = new TurnView({ style, now, columns: () => columns() - 1 });
    this.#wrap = new WordWrap(columns);
    this.#shows = terminals.stderr && !quiet;
  }

  async event(event: AgentEvent): Promise<void> {
    if (event.type === "turn_start") this.#answered = false;
    if (event.type !== "text") await this.#follow(event);
    const told = toldOf(event);
    if (told !== undefined) return await this.fail(told);
    if (event.type === "text") await this.#said(event.content);
    if (event.type === "run_end") await this.#complete(true);
    if (event.type === "message" && event.message.role === "assistant") {
      await this.#complete((event.message.tool_calls ?? []).length === 0);
    }
  }

  output(callId: string, chunk: Uint8Array): void {
    this.#view.output(callId, chunk);
  }

  async note(text: string): Promise<void> {
    await this.#write(`${printable(text)}\n`);
  }

  async stopped(): Promise<void> {
    await this.fail("Stopped");
  }

  async fail(message: string): Promise<void> {
    this.#options.messages.say(message);
    await this.#options.messages.flush();
  }

  async command(runner: CommandSession, command: string, signal: AbortSignal): Promise<void> {
    const outcome = await capturedCommand(runner, command, signal, this.#options.print);
    await this.fail(printable(endingOf(outcome)));
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#options.messages.status("");
  }

  /** Shows calls on standard error, and progress if that is a terminal. */
  async #follow(event: AgentEvent): Promise<void> {
    const { messages, quiet, terminals } = this.#options;
    if (quiet) return;
    const text = this.#view.event(event).replace(/^\n+/, "");
    if (!terminals.stderr) {
      if (event.type === "tool_start") await messages.raw(toolLine(event.name, event.input));
      return;
    }
    if (text !== "") await messages.raw(text);
    if (event.type === "run_start") this.#timer = setInterval(() => this.#status(), FRAME);
    if (event.type === "run_end") this[Symbol.dispose]();
    else this.#status();
  }

  #status(): void {
    if (!this.#shows || this.#answered) return;
    const [row = ""] = this.#view.rows();
    this.#options.messages.status(withoutColours(row).trim());
  }

  get #streams(): boolean {
    const { stdout, stderr } = this.#options.terminals;
    return stdout && stderr && !this.#options.quiet;
  }

  async #said(content: string): Promise<void> {
    const text = this.#text === "" ? content.trimStart() : content;
    this.#text += text;
    if (!this.#streams || text === "") return;
    if (!this.#open) this.#wrap.begin();
    this.#open = true;
    const all = this.#breaks + text;
    const body = all.replace(/[\r\n]+$/, "");
    this.#breaks = all.slice(body.length);
    await this.#write(this.#wrap.add(printable(body.replaceAll("\r\n", "\n"))));
  }

  /** Completes a message: its text is the answer, or was said before calls. */
  async #complete(answer: boolean): Promise<void> {
    const { messages, quiet, terminals } = this.#options;
    const text = this.#text.trimEnd();
    this.#text = this.#breaks = "";
    if (this.#open) {
      this.#open = false;
      return await this.#write(`${this.#wrap.end()}\n`);
    }
    if (text === "") return;
    if (answer) {
      this.#answered = true;
      messages.status("");
      await messages.flush();
      return await this.#write(`${terminals.stdout ? printable(text) : text}\n`);
    }
    if (!quiet) await messages.raw(`Agent: ${printable(text)}\n`);
  }

  async #write(text: string): Promise<void> {
    if (text !== "") await this.#options.print(new TextEncoder().encode(text));
  }
}
