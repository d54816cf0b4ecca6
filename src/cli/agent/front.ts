import type { AgentEvent } from "../../agent/mod.ts";
import type { CommandSession } from "../../terminal/mod.ts";

/** The display of a talk: on a terminal, in a pipe, as JSON, or as an answer alone. */
export interface Front {
  /** Columns of a line; absent if lines are not cut. */
  readonly columns?: number;
  /** Shows an event of a turn. If it rejects, the turn is stopped. */
  event(event: AgentEvent): Promise<void>;
  /** Receives the output of a command of the agent as it comes. The bytes are only lent. */
  output?(callId: string, chunk: Uint8Array): void;
  /**
   * Called with true when a question about the running call waits for the user, then with false.
   */
  waits?(waiting: boolean): void;
  /** Called when the user has entered a line, which the following output answers. */
  typed?(): void;
  /** Shows a text that does not come from the agent. */
  note(text: string): Promise<void>;
  /** Shows that the turn was stopped. */
  stopped(): Promise<void>;
  /** Shows an error. */
  fail(message: string): Promise<void>;
  /** Runs `!command` and shows its output. */
  command(runner: CommandSession, command: string, signal: AbortSignal): Promise<void>;
}

/** The message to show for an event that is not part of the talk itself, such as a warning. */
export function toldOf(event: AgentEvent): string | undefined {
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
