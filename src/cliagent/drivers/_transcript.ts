import { clip, clipEnd, isRecord } from "../../base/mod.ts";
import type { AgentUsage, CliEvent, CliOutcome } from "./driver.ts";
import { LastBlock } from "./normalise.ts";

/** Most characters of a tool's arguments in a line of activity. */
const MAX_ARGUMENT = 200;
/** Most characters that are kept of the output outside events. */
const MAX_NOISE = 4096;

/** Arguments that describe a tool call best, the best first. */
const TELLING = [
  "command",
  "cmd",
  "file_path",
  "absolute_path",
  "path",
  "pattern",
  "query",
  "url",
  "description",
];

/**
 * Collects a CLI's messages: their pieces become events, with an empty line between messages, and
 * the last message is the answer.
 *
 * The output of a program that writes no events, such as a script in the CLI's place, is read as
 * text: its last block is the answer.
 */
export class Transcript {
  /** The error that the CLI reported. */
  error: string | undefined;
  /** True once the CLI reported that its turn was complete. */
  complete = false;
  /** Tokens, as the CLI counts them. */
  usage: AgentUsage | undefined;
  /** The id of the CLI's session. */
  session: string | undefined;
  /** The answer, if the CLI reports it apart from its messages. */
  answer: string | undefined;
  #message = "";
  #lastMessage = "";
  #told = false;
  #lineOpen = false;
  #noise = "";
  /** The output read as text, until an event shows that it is a stream of events. */
  #plain: LastBlock | undefined = new LastBlock();

  /**
   * Parses a line as an event. A line that is not an event is kept as noise and gives `undefined`.
   */
  event(line: string): Record<string, unknown> | undefined {
    const event = parseObject(line);
    if (textField(event, "type") !== "") {
      this.#plain = undefined;
      return event;
    }
    this.#plain?.line(line);
    this.beside(line);
    return undefined;
  }

  /** The current message so far. */
  get message(): string {
    return this.#message;
  }

  /** Adds a piece to the current message. */
  say(text: string): CliEvent[] {
    if (text === "") return [];
    const gap = this.#told && this.#message === "" ? "\n\n" : "";
    this.#message += text;
    this.#told = true;
    return [{ type: "text", text: gap + text }];
  }

  /** Ends the current message: the next piece begins a new one. */
  endMessage(): void {
    if (this.#message !== "") this.#lastMessage = this.#message;
    this.#message = "";
  }

  /** Adds a piece of the CLI's reasoning. */
  think(text: string): CliEvent[] {
    if (text === "") return [];
    this.#lineOpen = !text.endsWith("\n");
    return [{ type: "activity", text }];
  }

  /** Adds a tool call: one line of activity. Ends the current message. */
  act(name: string, input: unknown): CliEvent[] {
    this.endMessage();
    const separator = this.#lineOpen ? "\n" : "";
    this.#lineOpen = false;
    const argument = describe(input);
    const line = argument === "" ? name : `${name}: ${argument}`;
    return [{ type: "activity", text: `${separator}${line}\n` }];
  }

  /** Keeps a line outside the events, such as a warning, as noise. */
  beside(line: string): void {
    this.#noise = clipEnd(`${this.#noise}${line}\n`, MAX_NOISE);
  }

  /** Ends the transcript. Emits the answer now if it was not emitted in pieces. */
  end(): { events: CliEvent[]; outcome: CliOutcome } {
    const plain = this.#plain?.text();
    const answer = plain ?? this.answer ?? this.#message;
    let events: CliEvent[] = [];
    this.endMessage();
    if (this.error === undefined && answer.trim() !== this.#lastMessage.trim()) {
      events = this.say(answer);
    }
    return {
      events,
      outcome: {
        answer: answer.trim(),
        complete: this.complete || plain !== undefined,
        plain: plain !== undefined,
        error: this.error,
        usage: this.usage,
        session: this.session,
        noise: this.#noise.trim(),
      },
    };
  }
}

/** The argument that describes a tool call best, on one line. */
function describe(input: unknown): string {
  let text = "";
  if (typeof input === "string") text = input;
  else if (isRecord(input)) {
    const name = TELLING.find((key) => typeof input[key] === "string");
    text = name === undefined ? JSON.stringify(input) : String(input[name]);
    if (text === "{}") text = "";
  }
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > MAX_ARGUMENT ? `${clip(line, MAX_ARGUMENT)}...` : line;
}

/** Parses a line as a JSON object; `undefined` if it is something else. */
export function parseObject(line: string): Record<string, unknown> | undefined {
  if (!line.trimStart().startsWith("{")) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A field as text; empty if it is not a string. */
export function textField(value: unknown, name: string): string {
  const field = isRecord(value) ? value[name] : undefined;
  return typeof field === "string" ? field : "";
}

/** A field as a number of tokens; 0 if it is not a valid one. */
export function tokenField(value: unknown, name: string): number {
  const field = isRecord(value) ? value[name] : undefined;
  return typeof field === "number" && Number.isFinite(field) && field >= 0 ? field : 0;
}
