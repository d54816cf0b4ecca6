import * as z from "zod";
import { structuredResult, type Tool } from "../tool/mod.ts";
import { type CliContext, sessionOf } from "./cli_context.ts";
import { USUAL_BYTES } from "./cli_read.ts";
import { posixTool } from "./cli_tool.ts";

const DESCRIPTION = `Terminates a running session started with CliSession.

Parameters:
- sessionId: The session to stop
- force: Use SIGKILL at once, without SIGTERM and 2 seconds before (default: false)

Always stop sessions when done to free resources. All processes that the session started end. What
they have printed can still be read with CliRead for 10 minutes.`;

/** The input of CliStop. */
export interface CliStopInput {
  /** The session. */
  sessionId: string;
  /** True to kill it at once. */
  force?: boolean | undefined;
}

/** The tool CliStop: ends a session with all its processes. */
export function cliStop(context: CliContext): Tool<CliStopInput> {
  return posixTool(context, {
    name: "CliStop",
    description: DESCRIPTION,
    input: z.strictObject({
      sessionId: z.string().describe("Session to stop"),
      force: z.boolean().optional().describe(
        "Force kill (SIGKILL) at once (default: false, which tries SIGTERM first)",
      ),
    }),
    output: z.object({
      sessionId: z.string(),
      status: z.literal("stopped"),
      exitCode: z.int().nullable().describe("128 + n for signal n; null when it was killed"),
      finalOutput: z.string().describe("Output that was not read yet, its end"),
      hasMore: z.boolean().describe(
        "finalOutput is not all of it: CliRead gives it from its start",
      ),
      survivors: z.union([z.int(), z.literal("unknown")]).optional().describe(
        "Processes that could not be killed",
      ),
    }),
    annotations: {
      title: "Stop a session",
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: false,
    },
    async execute({ sessionId, force = false }) {
      const session = sessionOf(context, sessionId);
      const { exitCode, finalOutput, hasMore, survivors } = await session.stop({
        force,
        maxBytes: USUAL_BYTES,
      });
      return structuredResult({
        sessionId,
        status: "stopped",
        exitCode,
        finalOutput,
        hasMore,
        ...(survivors === 0 ? {} : { survivors }),
      });
    },
  });
}
