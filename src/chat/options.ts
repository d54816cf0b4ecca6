import type { AgentRun } from "../agent/mod.ts";
import type { AskUser, CommandSandbox, Grants, SessionLog, Writers } from "../coder/mod.ts";
import type { Message } from "../llm/mod.ts";
import type { EventBus, SessionStore } from "../store/mod.ts";
import type { ChatEngineLimits } from "./limits.ts";

/** A turn that is about to run. */
export interface TurnStart {
  /** The session's name. */
  readonly session: string;
  /** The user's message. */
  readonly message: string;
  /** The conversation so far, as `run()` of `coder/` takes it. */
  readonly messages: readonly Message[];
  /** Stores the turn's records. */
  readonly log: SessionLog;
  /** Fires when the turn is to stop. */
  readonly signal: AbortSignal;
  /** Asks the readers of the turn to allow something. */
  readonly ask: AskUser;
  /** The permissions granted for the session so far. */
  readonly grants: Grants;
  /** Shows a command's output while it runs, as `run()` of `coder/` reports it. */
  onOutput(callId: string, chunk: Uint8Array<ArrayBuffer>): void;
}

/** Facts about the agent that the page shows. */
export interface ChatAbout {
  /** The working folder. */
  readonly root: string;
  /** The model's name at the endpoint. */
  readonly model: string;
  /** The sandbox of commands. */
  readonly sandbox?: CommandSandbox | undefined;
}

/** Options of a {@linkcode ChatEngine}. */
export interface ChatEngineOptions {
  /** Runs a turn of the agent. */
  readonly startTurn: (turn: TurnStart) => AgentRun<{ readonly messages: readonly Message[] }>;
  /** Keeps the sessions. */
  readonly store: SessionStore;
  /** The programs that share the store. Default: this program alone. */
  readonly writers?: Writers | undefined;
  /** Passes events from turns to their readers. Default: in memory. */
  readonly bus?: EventBus | undefined;
  /**
   * The working folder and the model, which are stored with a new session, and the sandbox. Sessions
   * of other folders are listed but cannot be continued.
   */
  readonly about: ChatAbout;
  /** Makes a title for a conversation. Default: the beginning of its first message. */
  readonly makeTitle?:
    | ((messages: readonly Message[], signal: AbortSignal) => Promise<string>)
    | undefined;
  /** Limits; the others have their defaults. */
  readonly limits?: Partial<ChatEngineLimits> | undefined;
  /** Receives internal errors, which clients do not see. */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** The time in milliseconds since the epoch. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
}
