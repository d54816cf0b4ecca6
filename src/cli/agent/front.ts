import type { AgentEvent } from "../../agent/mod.ts";
import type { CommandSession } from "../../terminal/mod.ts";

/** How a talk is shown: on a terminal, in a pipe, as JSON, or as an answer alone. */
export interface Front {
  /** Columns that a line may take; absent where lines are not cut. */
  readonly columns?: number;
  /** Shows what happens in a turn. If it rejects, the turn is stopped. */
  event(event: AgentEvent): Promise<void>;
  /** Is given the output of a command of the agent as it comes; the bytes are lent. */
  output?(callId: string, chunk: Uint8Array): void;
  /** A question about the call that runs waits for the user's answer, or no more. */
  waits?(waiting: boolean): void;
  /** The user has said something: what follows is about that. */
  typed?(): void;
  /** Tells something that is not the agent's. */
  note(text: string): Promise<void>;
  /** Tells that the turn was stopped. */
  stopped(): Promise<void>;
  /** Tells what went wrong. */
  fail(message: string): Promise<void>;
  /** Runs `!command`, and shows it. */
  command(runner: CommandSession, command: string, signal: AbortSignal): Promise<void>;
}

/** What is told of an event beside the talk, where nothing else shows it. */
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
