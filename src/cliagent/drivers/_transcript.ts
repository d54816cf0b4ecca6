import { clip, clipEnd, isRecord } from "../../base/mod.ts";
import type { AgentUsage, CliEvent, CliOutcome } from "./driver.ts";
import { LastBlock } from "./normalise.ts";

/** Most characters of a tool's arguments in a line of activity. */
const MAX_ARGUMENT = 200;
/** Most characters that are kept of what is no event. */
const MAX_NOISE = 4096;

/** Arguments of tools that say most about a call, the most telling first. */
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
 * Collects what a CLI says: pieces of messages become events with an empty line between messages,
 * and the last message is the answer. A program that writes no events at all, such as a script in
 * the CLI's place, is read as text: its last block is the answer.
 */
export class Transcript {
  /** What went wrong, as the CLI says. */
  error: string | undefined;
  /** Whether the CLI said that it was done. */
  complete = false;
  /** Tokens counted. */
  usage: AgentUsage | undefined;
  /** The session's id. */
  session: string | undefined;
  /** The answer, where the CLI names it apart from its messages. */
  answer: string | undefined;
  #message = "";
  #lastMessage = "";
  #told = false;
  #lineOpen = false;
  #noise = "";
  /** The output as text, until an event shows that it is none. */
  #plain: LastBlock | undefined = new LastBlock();

  /** A line of the output as an event. One that is none is kept beside, and gives `undefined`. */
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

  /** The message that is being said, as far as it is there. */
  get message(): string {
    return this.#message;
  }

  /** A piece of the current message. */
  say(text: string): CliEvent[] {
    if (text === "") return [];
    const gap = this.#told && this.#message === "" ? "\n\n" : "";
    this.#message += text;
    this.#told = true;
    return [{ type: "text", text: gap + text }];
  }

  /** What is said next is a new message. */
  endMessage(): void {
    if (this.#message !== "") this.#lastMessage = this.#message;
    this.#message = "";
  }

  /** A piece of what the CLI thinks. */
  think(text: string): CliEvent[] {
    if (text === "") return [];
    this.#lineOpen = !text.endsWith("\n");
    return [{ type: "activity", text }];
  }

  /** A call of a tool: one line, and the end of the message before it. */
  act(name: string, input: unknown): CliEvent[] {
    this.endMessage();
    const separator = this.#lineOpen ? "\n" : "";
    this.#lineOpen = false;
    const argument = describe(input);
    const line = argument === "" ? name : `${name}: ${argument}`;
    return [{ type: "activity", text: `${separator}${line}\n` }];
  }

  /** What was said beside the events, such as a warning. */
  beside(line: string): void {
    this.#noise = clipEnd(`${this.#noise}${line}\n`, MAX_NOISE);
  }

  /** The end: an answer that was not told in pieces is told now. */
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

/** The most telling argument of a tool call, on one line. */
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

/** A line of the CLI's output as an object, or `undefined` where it is something else. */
export function parseObject(line: string): Record<string, unknown> | undefined {
  if (!line.trimStart().startsWith("{")) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A field as text; empty where it is none. */
export function textField(value: unknown, name: string): string {
  const field = isRecord(value) ? value[name] : undefined;
  return typeof field === "string" ? field : "";
}

/** A field as a number of tokens; 0 where it is none. */
export function tokenField(value: unknown, name: string): number {
  const field = isRecord(value) ? value[name] : undefined;
  return typeof field === "number" && Number.isFinite(field) && field >= 0 ? field : 0;
}
