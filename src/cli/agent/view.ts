import type { AgentEvent } from "../../agent/mod.ts";
import { isRecord, printable } from "../../base/mod.ts";

/** The kind of the last printed block; `none` before the first. */
type Block = "none" | "user" | "text" | "tool";

/**
 * Shows turns for people (docs/agent.md has an example): the model's text after `Agent:` as it
 * comes, a line for each call before it runs, and blank lines between them.
 *
 * Returns the text to print; prints nothing itself.
 */
export class AgentView {
  #block: Block = "none";
  /** Line breaks that are printed only when text follows. */
  #breaks = "";

  /** Call after the user has typed a line: a blank line comes next. */
  typed(): void {
    this.#block = "user";
  }

  /** Returns the text that an event adds. */
  show(event: AgentEvent): string {
    switch (event.type) {
      case "text":
        return this.#text(event.content);
      case "tool_start": {
        return this.#begin("tool") + toolLine(event.name, event.input);
      }
      case "run_end":
        return this.end();
      default:
        return "";
    }
  }

  /** Ends the line that is being printed, if any. */
  end(): string {
    this.#breaks = "";
    if (this.#block !== "text") return "";
    this.#block = "user";
    return "\n";
  }

  #text(content: string): string {
    if (this.#block !== "text") content = content.replace(/^\s+/, "");
    if (content === "") return "";
    const begin = this.#block === "text" ? "" : `${this.#begin("text")}Agent: `;
    const text = this.#breaks + content;
    const body = text.replace(/[\r\n]+$/, "");
    this.#breaks = text.slice(body.length);
    return begin + printable(body.replaceAll("\r\n", "\n"));
  }

  /** Ends the block before, with a blank line unless both are calls. */
  #begin(block: Block): string {
    const before = this.#block;
    const end = this.end();
    this.#block = block;
    return before === "none" || before === "tool" && block === "tool" ? end : `${end}\n`;
  }
}

/** A call as a line, such as `[Tool: edit_file("a.txt", ...)]`. */
export function toolLine(name: string, input: unknown): string {
  return printable(`[Tool: ${name}(${describeInput(input)})]\n`);
}

/**
 * The command or the path as JSON, whatever its position, else the first argument; then `...` if
 * there are more.
 */
function describeInput(input: unknown): string {
  if (!isRecord(input)) return JSON.stringify(input) ?? "";
  const values = Object.values(input);
  const told = JSON.stringify(input.command ?? input.path ?? values[0]) ?? "";
  return `${told}${values.length > 1 ? ", ..." : ""}`;
}
