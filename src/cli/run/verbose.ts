import type { AgentEvent } from "../../agent/mod.ts";

/** Most characters of a call or a result that are shown. */
const MOST = 500;

/** The log of `-v`: the model's calls and text, one line for each step. */
export class VerboseLog {
  readonly #say: (text: string) => void;
  #text = "";

  /** `say` prints a line. */
  constructor(say: (text: string) => void) {
    this.#say = say;
  }

  /** Logs an event. Text is held back until it is clear that it is not the run's output. */
  update(event: AgentEvent): void {
    switch (event.type) {
      case "turn_start":
        this.#flushText();
        this.#say(`turn ${event.turn}`);
        break;
      case "text":
        this.#text += event.content;
        break;
      case "retry":
        this.#say(`trying again in ${event.delay / 1000} s: ${event.error}`);
        break;
      case "tool_start":
        if (event.name !== "exit") this.#flushText();
        this.#say(`  ${event.name} ${cut(compact(event.input))}`);
        break;
      case "tool_end":
        this.#say(`    ${event.error ? "failed" : "->"} ${cut(event.content)}`);
        break;
      case "usage":
        this.#say(
          `  ${event.usage.prompt_tokens} tokens in, ${event.usage.completion_tokens} out`,
        );
        break;
      case "run_end":
        this.#text = "";
        break;
    }
  }

  #flushText(): void {
    if (this.#text.trim() !== "") this.#say(quoteText(this.#text));
    this.#text = "";
  }
}

/** Marks text as the model's. */
export function quoteText(text: string): string {
  return text.trim().split("\n").map((line) => `  | ${line}`).join("\n");
}

function compact(input: unknown): string {
  return typeof input === "string" ? input : JSON.stringify(input) ?? "";
}

function cut(text: string): string {
  const line = text.replaceAll("\n", "\\n");
  if (line.length <= MOST) return line;
  return `${line.slice(0, MOST)}... (${line.length - MOST} more characters)`;
}
