import type { AgentEvent } from "../../agent/mod.ts";
import { printable } from "../../base/mod.ts";
import { aboutCall, callRow, endedCall, secondsOf } from "./call_line.ts";
import { OutputTail } from "./output_tail.ts";
import { fitRow, type Style, widthOf, WordWrap } from "./screen/mod.ts";

/** Properties of the terminal that a view needs. */
export interface TurnViewOptions {
  readonly style: Style;
  /** Columns of a row; called again for each row. */
  readonly columns: () => number;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
}

/** A call that is running. */
interface RunningCall {
  readonly id: string;
  readonly name: string;
  readonly about: string;
  readonly input: unknown;
  /** The time of its start, moved on by the time that its questions have waited for the user. */
  started: number;
  readonly tail: OutputTail;
}

/** The kind of the last printed block; `none` before the first. */
type Block = "none" | "user" | "text" | "tool" | "note";

const LABEL = "Agent: ";
/** Lines of a command's output that are shown while it runs. */
const TAIL = 4;

/**
 * The text of turns on a terminal: the model's text, wrapped between words; for a running call its
 * name, its seconds and the last lines of its output; for an ended call one line.
 *
 * Returns the text to print and the live rows; prints nothing itself.
 */
export class TurnView {
  readonly #options: TurnViewOptions;
  readonly #wrap: WordWrap;
  #block: Block = "none";
  /** Line breaks that are printed only when text follows. */
  #breaks = "";
  #call: RunningCall | undefined;
  /** The time since which a question waits for the user. */
  #asked: number | undefined;
  #model = "the model";
  #since: number;
  #doing: "waiting" | "answering" | undefined;
  #retry: { readonly error: string; readonly at: number } | undefined;

  constructor(options: TurnViewOptions) {
    this.#options = options;
    this.#wrap = new WordWrap(() => options.columns() + 1);
    this.#since = options.now();
  }

  /** Call after the user has entered a line: a blank line comes next. */
  typed(): void {
    this.#block = "user";
  }

  /** Returns the text that an event adds. */
  event(event: AgentEvent): string {
    switch (event.type) {
      case "run_start":
        this.#model = event.model;
        this.#do("waiting");
        return "";
      case "turn_start":
        this.#do("waiting");
        return "";
      case "text":
        if (this.#doing !== "answering") this.#do("answering");
        return this.#text(event.content);
      case "retry":
        this.#do("waiting");
        this.#retry = { error: event.error, at: this.#options.now() + event.delay };
        return "";
      case "tool_start":
        return this.#start(event);
      case "tool_end":
        return this.#end(event);
      case "run_end":
        this.#doing = this.#retry = this.#call = undefined;
        return this.end();
      default:
        return "";
    }
  }

  /** Adds a chunk of a command's output. */
  output(callId: string, chunk: Uint8Array): void {
    if (this.#call?.id === callId) this.#call.tail.add(chunk);
  }

  /**
   * Call with true when a question about the call waits for the user, then with false. That time
   * does not count as the call's.
   */
  waits(waiting: boolean): void {
    const now = this.#options.now();
    if (!waiting && this.#asked !== undefined && this.#call !== undefined) {
      this.#call.started += now - this.#asked;
    }
    this.#asked = waiting ? now : undefined;
  }

  /** Returns the text to print before something else. */
  note(): string {
    return this.#begin("note");
  }

  /** Ends the line that is being printed, if any. */
  end(): string {
    this.#breaks = "";
    if (this.#block !== "text") return "";
    this.#block = "user";
    return `${this.#wrap.end()}\n`;
  }

  /** The live rows that show the current activity; empty between turns. */
  rows(): string[] {
    const { style, columns, now } = this.#options;
    const call = this.#call;
    if (call !== undefined) {
      const seconds = secondsOf(this.#secondsOf(call));
      const row = callRow(call.name, call.about, seconds, columns() - 2);
      return [`  ${row}`, ...call.tail.lines.map((line) => style("faint", `    ${line}`))];
    }
    if (this.#doing === undefined) return [];
    const retry = this.#retry;
    if (retry !== undefined) {
      const left = Math.max(0, Math.ceil((retry.at - now()) / 1000));
      return [
        style(
          "warning",
          fitRow(`  Trying again in ${left} s: ${printable(retry.error)}`, columns()),
        ),
      ];
    }
    const doing = this.#doing === "waiting" ? `Waiting for ${this.#model}` : "Answering";
    const seconds = secondsOf((now() - this.#since) / 1000);
    const shown = [printable(doing), ...seconds === "" ? [] : [seconds], "Ctrl+C stops"];
    return [style("faint", `  ${shown.join(", ")}`)];
  }

  #do(doing: "waiting" | "answering"): void {
    this.#doing = doing;
    this.#retry = undefined;
    this.#since = this.#options.now();
  }

  /** Seconds that a call has run, without the time of questions. */
  #secondsOf({ started }: RunningCall): number {
    return ((this.#asked ?? this.#options.now()) - started) / 1000;
  }

  #start({ id, name, input }: AgentEvent & { type: "tool_start" }): string {
    const started = this.#options.now();
    const about = aboutCall(input);
    this.#call = { id, name: printable(name), about, input, started, tail: new OutputTail(TAIL) };
    return this.#begin("tool");
  }

  #end({ id, name, content, error, details }: AgentEvent & { type: "tool_end" }): string {
    const call = this.#call?.id === id ? this.#call : undefined;
    this.#call = undefined;
    this.#do("waiting");
    const { style, columns } = this.#options;
    const seconds = call === undefined ? 0 : this.#secondsOf(call);
    const tail = call?.tail.lines ?? [];
    const ended = { name: printable(name), input: call?.input, error, content, details, seconds };
    return this.#begin("tool") + endedCall({ ...ended, tail }, style, columns());
  }

  #text(content: string): string {
    const text = this.#block === "text" ? content : content.replace(/^\s+/, "");
    if (text === "") return "";
    let begin = "";
    if (this.#block !== "text") {
      begin = `${this.#begin("text")}${this.#options.style("strong", LABEL.trimEnd())} `;
      this.#wrap.begin(widthOf(LABEL));
    }
    const all = this.#breaks + text;
    const body = all.replace(/[\r\n]+$/, "");
    this.#breaks = all.slice(body.length);
    return begin + this.#wrap.add(printable(body.replaceAll("\r\n", "\n")));
  }

  /** Ends the block before, with a blank line unless both are calls or both are notes. */
  #begin(block: Block): string {
    const before = this.#block;
    const end = this.end();
    this.#block = block;
    const together = before === block && (block === "tool" || block === "note");
    return before === "none" || together ? end : `${end}\n`;
  }
}
