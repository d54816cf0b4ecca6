import * as z from "zod";
import { structuredResult, type Tool } from "../tool/mod.ts";
import { type CliContext, sessionOf } from "./cli_context.ts";
import { posixTool } from "./cli_tool.ts";
import {
  hintField,
  hintOf,
  outputFields,
  outputOf,
  stateFields,
  stateOf,
} from "./session_result.ts";
import { readUntil, UNTIL_HELP } from "./until.ts";
import { withProgress } from "./with_progress.ts";

const DESCRIPTION = `Reads output from a running session started with CliSession.

Parameters:
- sessionId: The session to read from (from CliSession response)
- timeout: Seconds to wait for output (default: 5; 30 with until)
- maxBytes: Max output size (default: 64KB)
- until: ${UNTIL_HELP}

Response fields:
- output: Text produced since last read
- hasMore: More output available (call again)
- isRunning: Process still running
- waitingForInput: Process waiting for user input (use CliWrite)

Best practices:
- Wait for a long operation with until and a long timeout instead of polling
- Check waitingForInput to know when to send response
- Use hasMore to read complete output`;

/** Default of `maxBytes`. */
export const USUAL_BYTES = 64 * 1024;

/** Default wait in seconds: the specification's 5, or 30 with `until`. */
export function usualSeconds(until: string | undefined): number {
  return until === undefined ? 5 : 30;
}

/** The input of CliRead. */
export interface CliReadInput {
  /** The session. */
  sessionId: string;
  /** Most seconds to wait. */
  timeout?: number | undefined;
  /** Most bytes of output. */
  maxBytes?: number | undefined;
  /** The condition to wait for. */
  until?: string | undefined;
}

/** The tool CliRead: returns the output of a session since the last call. */
export function cliRead(context: CliContext): Tool<CliReadInput> {
  const { limits } = context;
  return posixTool(context, {
    name: "CliRead",
    description: DESCRIPTION,
    input: z.strictObject({
      sessionId: z.string().describe("Session to read from"),
      timeout: z.int().min(0).max(limits.secondsMost).optional().describe(
        "Seconds to wait for output (default: 5; 30 with until)",
      ),
      maxBytes: z.int().min(4).max(limits.readBytesMost).optional().describe(
        "Maximum bytes to return (default: 64KB)",
      ),
      until: z.string().optional().describe(UNTIL_HELP),
    }),
    output: z.object({
      sessionId: z.string(),
      output: z.string(),
      ...outputFields,
      ...stateFields,
      ...hintField,
    }),
    annotations: {
      title: "Read from a session",
      // Each byte of output is returned only once.
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: false,
      openWorldHint: true,
    },
    async execute({ sessionId, maxBytes = USUAL_BYTES, ...input }, { signal, progress }) {
      const session = sessionOf(context, sessionId);
      const seconds = input.timeout ?? usualSeconds(input.until);
      const until = input.until === undefined ? undefined : readUntil(input.until, context.host);
      const read = await withProgress(
        progress,
        { interval: limits.progressInterval, seconds },
        () => session.read({ timeout: seconds * 1000, maxBytes, until, signal }),
      );
      return structuredResult({
        sessionId,
        output: read.output,
        ...outputOf(read),
        ...stateOf(read),
        ...hintOf(session, read),
      });
    },
  });
}
