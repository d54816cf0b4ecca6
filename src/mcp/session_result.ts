import * as z from "zod";
import type { SessionOutput, SessionState, TerminalSession } from "../ports/mod.ts";

/** Fields for the state of a session. */
export const stateFields = {
  isRunning: z.boolean().describe("Process still running"),
  waitingForInput: z.boolean().describe("Process waiting for user input"),
  inputMode: z.enum(["line", "password", "raw"]).optional().describe(
    "How the terminal takes input: a line, one that is not shown, or each key at once",
  ),
  foreground: z.string().optional().describe("Name of the program in the foreground"),
  atPrompt: z.boolean().optional().describe("The shell waits for its next command"),
  confidence: z.enum(["high", "low"]).optional().describe(
    "low: the system does not tell who waits, so it was guessed",
  ),
  attached: z.boolean().optional().describe("A person has joined the session, and may type"),
  exitCode: z.int().nullable().optional().describe("Once it has ended; null when it was killed"),
};

/** Fields about output, besides its text. */
export const outputFields = {
  hasMore: z.boolean().describe("More output available"),
  droppedBytes: z.int().optional().describe("Bytes lost before it, as nobody read them in time"),
  screen: z.boolean().optional().describe(
    "A program draws the screen: the output is all of it, or empty if it has not changed",
  ),
  cursor: z.object({ row: z.int(), column: z.int() }).optional().describe(
    "Where the cursor is on the screen, from 1",
  ),
};

/** State of a session for a result, without unknown and meaningless fields. */
export function stateOf(state: SessionState): z.infer<z.ZodObject<typeof stateFields>> {
  const { isRunning, waitingForInput, inputMode, foreground, atPrompt, confidence } = state;
  const { attached } = state;
  if (!isRunning) return { isRunning, waitingForInput: false, exitCode: state.exitCode };
  return {
    isRunning,
    waitingForInput,
    ...(inputMode === null ? {} : { inputMode }),
    ...(foreground === null ? {} : { foreground }),
    atPrompt,
    confidence,
    ...(attached === true ? { attached } : {}),
  };
}

/** Field with the next step when a program asks for a password. */
export const hintField = { hint: z.string().optional().describe("What to do now") };

/** The next step when a program asks for a password that a person can type; else `undefined`. */
export function passwordHint(
  { sessionId, attachCommand }: Pick<TerminalSession, "sessionId" | "attachCommand">,
  { isRunning, waitingForInput, inputMode, attached }: SessionState,
): string | undefined {
  if (!isRunning || !waitingForInput || inputMode !== "password") return undefined;
  if (attachCommand === undefined) return undefined;
  const wait = `then wait with CliRead sessionId="${sessionId}" until="/./"`;
  return attached === true
    ? `A person has joined the session and can type the password; ${wait}`
    : "Do not ask for the password: ask the person to type it themselves, by running " +
      `"${attachCommand}" in a terminal of their own (Ctrl+] leaves it); ${wait}`;
}

/** {@linkcode passwordHint} as a field of a result. */
export function hintOf(...args: Parameters<typeof passwordHint>): { hint?: string } {
  const hint = passwordHint(...args);
  return hint === undefined ? {} : { hint };
}

/** Facts about output for a result, besides its text. */
export function outputOf(output: SessionOutput): z.infer<z.ZodObject<typeof outputFields>> {
  const { hasMore, droppedBytes, screen, cursor } = output;
  return {
    hasMore,
    ...(droppedBytes === undefined ? {} : { droppedBytes }),
    ...(screen === undefined ? {} : { screen }),
    ...(cursor === undefined ? {} : { cursor }),
  };
}
