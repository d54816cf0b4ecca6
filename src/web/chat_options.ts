import type { AgentRun } from "../agent/mod.ts";
import type { AskUser, CommandSandbox, Grants, SessionLog, Writers } from "../coder/mod.ts";
import type { Message } from "../llm/mod.ts";
import type { EventBus, SessionStore } from "../store/mod.ts";
import type { ChatLimits } from "./chat_limits.ts";
import type { SecurityOptions } from "./security.ts";

/** A turn that is to run. */
export interface TurnStart {
  /** The session's name. */
  readonly session: string;
  /** What the user says. */
  readonly message: string;
  /** The conversation so far, as `run()` of `coder/` takes it. */
  readonly messages: readonly Message[];
  /** Keeps what happens. */
  readonly log: SessionLog;
  /** Fires when the turn is to stop. */
  readonly signal: AbortSignal;
  /** Asks whoever reads the turn to allow something. */
  readonly ask: AskUser;
  /** What was allowed for the session. */
  readonly grants: Grants;
  /** Shows a command's output as it comes, as `run()` of `coder/` tells it. */
  onOutput(callId: string, chunk: Uint8Array<ArrayBuffer>): void;
}

/** What the page tells of where the agent works. */
export interface ChatAbout {
  /** The working folder. */
  readonly root: string;
  /** Its name at the endpoint. */
  readonly model: string;
  /** What confines commands. */
  readonly sandbox?: CommandSandbox | undefined;
}

/** Options of `chatApp()`. */
export interface ChatAppOptions extends SecurityOptions {
  /** Runs a turn of the agent. */
  readonly startTurn: (turn: TurnStart) => AgentRun<{ readonly messages: readonly Message[] }>;
  /** Keeps the sessions. */
  readonly store: SessionStore;
  /** The programs that use the same store. Default: none but this. */
  readonly writers?: Writers | undefined;
  /** Passes events on. Default: in memory. */
  readonly bus?: EventBus | undefined;
  /**
   * The working folder and the model, which are stored with a new session, and the sandbox. Sessions
   * of other folders are listed, and not continued.
   */
  readonly about: ChatAbout;
  /** Makes a title of a conversation; without it, titles are the beginnings of first messages. */
  readonly makeTitle?:
    | ((messages: readonly Message[], signal: AbortSignal) => Promise<string>)
    | undefined;
  /** Limits; those that are not given have their defaults. */
  readonly limits?: Partial<ChatLimits> | undefined;
  /** Is called with internal errors, which clients are not told. */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** Milliseconds since the epoch. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
}
