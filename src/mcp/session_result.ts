import * as z from "zod";
import type { SessionOutput, SessionState } from "./session_port.ts";

/** The fields that tell how a session stands. */
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
  exitCode: z.int().nullable().optional().describe("Once it has ended; null when it was killed"),
};

/** The fields that tell of output besides its text. */
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

/** How a session stands, without what is not known or means nothing. */
export function stateOf(state: SessionState): z.infer<z.ZodObject<typeof stateFields>> {
  const { isRunning, waitingForInput, inputMode, foreground, atPrompt, confidence } = state;
  if (!isRunning) return { isRunning, waitingForInput: false, exitCode: state.exitCode };
  return {
    isRunning,
    waitingForInput,
    ...(inputMode === null ? {} : { inputMode }),
    ...(foreground === null ? {} : { foreground }),
    atPrompt,
    confidence,
  };
}

/** What there is to tell of output besides its text. */
export function outputOf(output: SessionOutput): z.infer<z.ZodObject<typeof outputFields>> {
  const { hasMore, droppedBytes, screen, cursor } = output;
  return {
    hasMore,
    ...(droppedBytes === undefined ? {} : { droppedBytes }),
    ...(screen === undefined ? {} : { screen }),
    ...(cursor === undefined ? {} : { cursor }),
  };
}
