import type { Survivors } from "../command.ts";

/** What is known of a session's program. */
export interface SessionState {
  /** Whether its program, or its shell, still runs. */
  readonly isRunning: boolean;
  /** Whether a program waits for input from the terminal; false where the shell is at its prompt. */
  readonly waitingForInput: boolean;
  /** How the terminal takes input; `null` when it has ended or it is not known. */
  readonly inputMode: "line" | "password" | "raw" | null;
  /** Name of the program in the foreground; `null` when it has ended or it is not known. */
  readonly foreground: string | null;
  /** Whether the interactive shell waits for its next command. */
  readonly atPrompt: boolean;
  /** `low` where the system does not tell who waits, and it was guessed from silence. */
  readonly confidence: "high" | "low";
  /** True while a person has joined, who may type. */
  readonly attached?: boolean | undefined;
  /** Its status once it has ended, 128 + n for signal n; `null` before, and when it was killed. */
  readonly exitCode: number | null;
}

/** What a call may wait for. */
export type SessionUntil =
  | { readonly kind: "exit" | "input" | "prompt" }
  | { readonly kind: "output"; readonly matches: (text: string) => boolean };

/** How to wait and how much to read. */
export interface SessionRead {
  /** Most milliseconds to wait. */
  readonly timeout: number;
  /** Most bytes of output, at least 4; a character is never split. */
  readonly maxBytes: number;
  /** What to wait for, in place of a pause of the output. The end of the program always counts. */
  readonly until?: SessionUntil | undefined;
  /** Stops waiting. */
  readonly signal: AbortSignal;
}

/** What came of a session. */
export interface SessionOutput extends SessionState {
  /** Text without escape sequences, or the whole screen (`screen`). */
  readonly output: string;
  /** Whether more can be read at once. */
  readonly hasMore: boolean;
  /** Bytes that were dropped before `output`, as nobody read them in time; absent if none. */
  readonly droppedBytes?: number | undefined;
  /** True where a program draws the screen: `output` is all of it, empty if it has not changed. */
  readonly screen?: boolean | undefined;
  /** Where the cursor is on the screen, from 1; only with `screen`. */
  readonly cursor?: { readonly row: number; readonly column: number } | undefined;
}

/** What came of input. */
export interface SessionWritten extends SessionOutput {
  /** Names of the keys that were sent, in order, such as `ctrl+c`. */
  readonly keys: readonly string[];
}

/** How a session ended. */
export interface SessionStopped {
  /** As in {@linkcode SessionState}. */
  readonly exitCode: number | null;
  /** Output that was not read, at most `maxBytes` of its end; `read` still gives all of it. */
  readonly finalOutput: string;
  /** Whether there is more of it, before that. */
  readonly hasMore: boolean;
  /** Processes that could not be killed. */
  readonly survivors: Survivors;
}

/** How to start a session. */
export interface SessionStart {
  /** A line for the shell, with which the session ends; the interactive shell itself if absent. */
  readonly command?: string | undefined;
  /** The folder to start in, absolute. */
  readonly workingDirectory: string;
  /** The id to use; a random one if absent. */
  readonly sessionId?: string | undefined;
  /** Changes to the environment: values to set, `null` to leave a variable out. */
  readonly env: Readonly<Record<string, string | null>>;
  /** Columns of the terminal; 120 if absent. */
  readonly columns?: number | undefined;
  /** Rows of the terminal; 40 if absent. */
  readonly rows?: number | undefined;
  /** Ends what was started of it, if it fires before `start` resolves; it means nothing later. */
  readonly signal: AbortSignal;
}
