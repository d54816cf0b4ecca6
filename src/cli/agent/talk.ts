import type { AskUser, CoderResult } from "../../coder/mod.ts";
import { linkAbort } from "../../streams/mod.ts";
import type { CommandSession } from "../../terminal/mod.ts";
import { failureOf, failureOfRun } from "../failure/mod.ts";
import { askBefore } from "./approval_question.ts";
import { slashCommand } from "./commands.ts";
import type { AgentConversation } from "./conversation.ts";
import type { Front } from "./front.ts";
import { welcome } from "./recap.ts";

/** Options of a talk. */
export interface TalkOptions {
  readonly conversation: AgentConversation;
  /** Runs `!command`. */
  readonly runner: CommandSession;
  readonly front: Front;
  /** Asks the user for approval of a call; absent if that is not possible. */
  readonly ask?: AskUser | undefined;
  /** Ends the whole talk. */
  readonly signal: AbortSignal;
}

/** Answers lines: messages to the agent, slash commands, and shell commands. */
export class AgentTalk {
  readonly #options: TalkOptions;
  #stop: AbortController | undefined;

  /** Prints nothing yet. */
  constructor(options: TalkOptions) {
    this.#options = options;
  }

  /** Stops the current work; returns false if there is none. */
  interrupt(): boolean {
    // A second request should not wait until the first has stopped everything.
    if (this.#stop === undefined || this.#stop.signal.aborted) return false;
    this.#stop.abort(new DOMException("Stopped by the user", "AbortError"));
    return true;
  }

  /** Answers a line that was typed; resolves to its exit status. */
  async answer(line: string): Promise<number> {
    if (line.trim() === "") return 0;
    this.#options.front.typed?.();
    const status = await this.pipe(line);
    void this.#options.conversation.giveTitle();
    return status;
  }

  /** Answers a line of a pipe, which is not echoed before the answer. */
  async pipe(line: string): Promise<number> {
    if (line.trim() === "") return 0;
    if (line.startsWith("!")) return await this.#shell(line.slice(1).trim());
    const command = slashCommand(line);
    if (command === undefined) return await this.say(line);
    const { conversation, front } = this.#options;
    return await this.#guarded(async (signal) => {
      const { argument } = command;
      const text = await command.run(conversation, argument, signal, front.columns ?? Infinity);
      if (text !== "") await front.note(text);
    });
  }

  /** Shows the last exchange of a session that is continued. */
  async recall(label: string): Promise<void> {
    const { conversation, front } = this.#options;
    await front.note(`${welcome(label, conversation.session)}\n`);
  }

  /** Runs a turn; resolves to its exit status. */
  async say(input: string): Promise<number> {
    const { conversation, front, signal } = this.#options;
    const ask = this.#options.ask && askBefore(front, this.#options.ask);
    const result = await this.#stoppable((signal) =>
      conversation.turn(input, signal, (event) => front.event(event), ask)
    );
    if (result.reason === "abort" && !signal.aborted) await front.stopped();
    const { status, message } = failureOfTurn(result);
    if (message !== undefined) await front.fail(message);
    return status;
  }

  async #shell(command: string): Promise<number> {
    if (command === "") return 0;
    const { front, runner } = this.#options;
    return await this.#guarded((signal) => front.command(runner, command, signal));
  }

  /** Runs a stoppable action; shows an error that the user can act on, rejects with any other. */
  async #guarded(action: (signal: AbortSignal) => Promise<void>): Promise<number> {
    return await this.#stoppable(async (stopped) => {
      try {
        await action(stopped);
        return 0;
      } catch (error) {
        if (stopped.aborted) return 0;
        const { status, message } = failureOf(error);
        if (message === undefined) throw error;
        await this.#options.front.fail(message);
        return status;
      }
    });
  }

  /** Runs an action that `interrupt` and the end of the talk stop. */
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
}

function failureOfTurn(result: CoderResult): { status: number; message?: string } {
  if (result.reason === "length") {
    return { ...failureOfRun(result), message: "The answer was cut at the model's token limit" };
  }
  if (result.reason === "content_filter") {
    return { ...failureOfRun(result), message: "The endpoint withheld the answer" };
  }
  return failureOfRun(result);
}
