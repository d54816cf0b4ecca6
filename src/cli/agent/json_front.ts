import type { AgentEvent } from "../../agent/mod.ts";
import { encodeNdjson } from "../../streams/mod.ts";
import type { CommandSession } from "../../terminal/mod.ts";
import type { Messages } from "../messages/mod.ts";
import { capturedCommand } from "./captured_command.ts";
import type { Front } from "./front.ts";

/** Prints each event as a line of JSON. */
export class JsonFront implements Front {
  readonly #print: (bytes: Uint8Array<ArrayBuffer>) => Promise<void>;
  readonly #messages: Messages;

  /** `print` gets the lines, `messages` the errors. */
  constructor(print: (bytes: Uint8Array<ArrayBuffer>) => Promise<void>, messages: Messages) {
    this.#print = print;
    this.#messages = messages;
  }

  async event(event: AgentEvent): Promise<void> {
    // A message repeats the events of its text and its calls.
    if (event.type !== "message") await this.#line(event);
  }

  async note(text: string): Promise<void> {
    await this.#line({ type: "note", message: text });
  }

  async stopped(): Promise<void> {
    await this.note("Stopped");
  }

  async fail(message: string): Promise<void> {
    this.#messages.say(message);
    await this.#messages.flush();
  }

  async command(runner: CommandSession, command: string, signal: AbortSignal): Promise<void> {
    const { text, exitCode } = await capturedCommand(runner, command, signal);
    await this.#line({ type: "command", command, output: text, exit_code: exitCode });
  }

  #line(value: unknown): Promise<void> {
    return this.#print(new TextEncoder().encode(encodeNdjson(value)));
  }
}
