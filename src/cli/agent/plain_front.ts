import type { AgentEvent } from "../../agent/mod.ts";
import { printable } from "../../base/mod.ts";
import type { CommandSession } from "../../terminal/mod.ts";
import type { Messages } from "../messages/mod.ts";
import { capturedCommand, endingOf } from "./captured_command.ts";
import { type Front, toldOf } from "./front.ts";
import { AgentView } from "./view.ts";

/**
 * Prints the lines of the specification (docs/agent.md), for pipes, dumb terminals and `--quiet`.
 */
export class PlainFront implements Front {
  readonly #view = new AgentView();
  readonly #print: (bytes: Uint8Array<ArrayBuffer>) => Promise<void>;
  readonly #messages: Messages;

  /** `print` gets the talk, `messages` errors and warnings. */
  constructor(print: (bytes: Uint8Array<ArrayBuffer>) => Promise<void>, messages: Messages) {
    this.#print = print;
    this.#messages = messages;
  }

  typed(): void {
    this.#view.typed();
  }

  async event(event: AgentEvent): Promise<void> {
    const told = toldOf(event);
    const text = told === undefined ? this.#view.show(event) : this.#view.end();
    if (text !== "") await this.#write(text);
    if (told !== undefined) await this.fail(told);
  }

  async note(text: string): Promise<void> {
    await this.#write(`${printable(text)}\n`);
  }

  async stopped(): Promise<void> {
    await this.#write("\n[Stopped]\n");
  }

  async fail(message: string): Promise<void> {
    this.#messages.say(message);
    await this.#messages.flush();
  }

  async command(runner: CommandSession, command: string, signal: AbortSignal): Promise<void> {
    let last = 10;
    const outcome = await capturedCommand(runner, command, signal, async (chunk) => {
      last = chunk.at(-1) ?? last;
      await this.#print(chunk);
    });
    await this.#write(`${last === 10 ? "" : "\n"}${printable(endingOf(outcome))}\n`);
  }

  #write(text: string): Promise<void> {
    return this.#print(new TextEncoder().encode(text));
  }
}
