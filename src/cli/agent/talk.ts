import type { AgentEvent } from "../../agent/mod.ts";
import { printable } from "../../base/mod.ts";
import { type AskUser, type CoderResult, describeOutcome } from "../../coder/mod.ts";
import { encodeNdjson, linkAbort } from "../../streams/mod.ts";
import type { CommandSession } from "../../terminal/mod.ts";
import { slashCommand } from "./commands.ts";
import type { AgentConversation } from "./conversation.ts";
import { welcome } from "./recap.ts";
import { AgentView } from "./view.ts";
import { failureOf, failureOfRun } from "../exit_status.ts";
import type { Messages } from "../messages.ts";

/** What a talk needs. */
export interface TalkOptions {
  readonly conversation: AgentConversation;
  /** Runs `!command`. */
  readonly runner: CommandSession;
  /** Whether every event is printed as a line of JSON. */
  readonly json: boolean;
  /** Prints to standard output. */
  print(bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  readonly messages: Messages;
  /** Asks the user whether a call is allowed; absent where that is not possible. */
  ask?: AskUser | undefined;
  /** Ends all. */
  readonly signal: AbortSignal;
}

/** Milliseconds that a `!command` may take. */
const COMMAND_TIMEOUT = 3_600_000;

/** Answers lines: messages, commands of the talk and of the shell. */
export class AgentTalk {
  readonly #options: TalkOptions;
  readonly #view = new AgentView();
  #stop: AbortController | undefined;

  /** Says nothing yet. */
  constructor(options: TalkOptions) {
    this.#options = options;
  }

  /** Stops what is going on; tells whether there was anything. */
  interrupt(): boolean {
    // Whoever asks twice does not want to wait for the end of the first.
    if (this.#stop === undefined || this.#stop.signal.aborted) return false;
    this.#stop.abort(new DOMException("Stopped by the user", "AbortError"));
    return true;
  }

  /** Answers a line that was typed. Resolves to the exit status that it deserves. */
  async answer(line: string): Promise<number> {
    if (line.trim() === "") return 0;
    this.#view.typed();
    const status = await this.pipe(line);
    void this.#options.conversation.giveTitle();
    return status;
  }

  /** Answers a line of a pipe, where nothing stands before it. */
  async pipe(line: string): Promise<number> {
    if (line.trim() === "") return 0;
    if (line.startsWith("!")) return await this.#stoppable((signal) => this.#shell(line, signal));
    const command = slashCommand(line);
    if (command === undefined) return await this.say(line);
    const { conversation, messages } = this.#options;
    try {
      const text = await this.#stoppable(async (signal) =>
        await command.run(conversation, command.argument, signal)
      );
      if (text !== "") await this.#note(text);
      return 0;
    } catch (error) {
      const { status, message } = failureOf(error);
      if (message !== undefined) messages.say(message);
      await messages.flush();
      return status;
    }
  }

  /** Shows where a session stands that goes on. */
  async recall(label: string): Promise<void> {
    await this.#note(`${welcome(label, this.#options.conversation.session.messages)}\n`);
  }

  /** Runs a turn. */
  async say(input: string): Promise<number> {
    const { conversation, messages } = this.#options;
    const result = await this.#stoppable((signal) =>
      conversation.turn(input, signal, (event) => this.#show(event), this.#options.ask)
    );
    if (result.reason === "abort" && !this.#options.signal.aborted) await this.#note("\n[Stopped]");
    const { status, message } = this.#failure(result);
    if (message !== undefined) messages.say(message);
    await messages.flush();
    return status;
  }

  #failure(result: CoderResult): { status: number; message?: string } {
    if (result.reason === "length") {
      return { ...failureOfRun(result), message: "The answer was cut at the model's token limit" };
    }
    if (result.reason === "content_filter") {
      return { ...failureOfRun(result), message: "The endpoint withheld the answer" };
    }
    return failureOfRun(result);
  }

  /** Runs something that `interrupt` and the end of all stop. */
  async #stoppable<Result>(action: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const stop = new AbortController();
    const unlink = linkAbort(this.#options.signal, stop);
    this.#stop = stop;
    try {
      return await action(stop.signal);
    } finally {
      this.#stop = undefined;
      unlink();
    }
  }

  async #shell(line: string, signal: AbortSignal): Promise<number> {
    const { json, runner, print, messages } = this.#options;
    const command = line.slice(1).trim();
    if (command === "") return 0;
    try {
      let last = 10;
      const outcome = await runner.run(command, {
        timeout: COMMAND_TIMEOUT,
        signal,
        onOutput: json ? undefined : async (chunk) => {
          last = chunk.at(-1) ?? last;
          await print(chunk);
        },
      });
      const { text, exitCode } = outcome;
      if (json) await this.#line({ type: "command", command, output: text, exit_code: exitCode });
      else {
        // What was left out of the text was printed as it came.
        const shown = { ...outcome, text: "", truncated: undefined };
        const note = describeOutcome(shown, COMMAND_TIMEOUT / 1000);
        await this.#write(`${last === 10 ? "" : "\n"}${printable(note)}\n`);
      }
      return 0;
    } catch (error) {
      if (signal.aborted) return 0;
      const { status, message } = failureOf(error);
      if (message === undefined) throw error;
      messages.say(message);
      await messages.flush();
      return status;
    }
  }

  async #show(event: AgentEvent): Promise<void> {
    const { json, messages } = this.#options;
    if (json) {
      // The lines of text and of calls have told what a message repeats.
      if (event.type !== "message") await this.#line(event);
      return;
    }
    const told = toldOf(event);
    const text = told === undefined ? this.#view.show(event) : this.#view.end();
    if (text !== "") await this.#write(text);
    if (told === undefined) return;
    messages.say(told);
    await messages.flush();
  }

  /** Tells something that is not the agent's. */
  async #note(text: string): Promise<void> {
    if (this.#options.json) await this.#line({ type: "note", message: text });
    else await this.#write(`${printable(text)}\n`);
  }

  #line(value: unknown): Promise<void> {
    return this.#write(encodeNdjson(value));
  }

  #write(text: string): Promise<void> {
    return this.#options.print(new TextEncoder().encode(text));
  }
}

/** What is told of an event beside the talk. */
function toldOf(event: AgentEvent): string | undefined {
  switch (event.type) {
    case "notice":
      return event.message;
    case "warning":
      return `warning: ${event.message}`;
    case "retry":
      return `warning: ${event.error}; trying again in ${Math.ceil(event.delay / 1000)} s`;
    default:
      return undefined;
  }
}
