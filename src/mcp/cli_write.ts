import * as z from "zod";
import { structuredResult, type Tool } from "../tool/mod.ts";
import { type CliContext, sessionOf } from "./cli_context.ts";
import { USUAL_BYTES, usualSeconds } from "./cli_read.ts";
import { posixTool } from "./cli_tool.ts";
import {
  hintField,
  outputFields,
  outputOf,
  passwordHint,
  stateFields,
  stateOf,
} from "./session_result.ts";
import { keyHint } from "./key_hint.ts";
import { readUntil, UNTIL_HELP } from "./until.ts";
import { withProgress } from "./with_progress.ts";

const DESCRIPTION = `Sends input to an interactive session.

Parameters:
- sessionId: The session to write to
- input: Text and/or special keys to send
- timeout: Seconds to wait for response after sending (default: 5; 30 with until)
- until: ${UNTIL_HELP}
- raw: Send braces as they are, without special keys

Special key sequences:
- {enter} - Press Enter
- {up}/{down}/{left}/{right} - Arrow keys
- {tab} - Tab key
- {backspace} - Backspace
- {escape} - Escape key
- {ctrl+c} - Interrupt (SIGINT)
- {ctrl+d} - End of input (EOF)
- {ctrl+a} to {ctrl+z}, {alt+x}, {home}, {end}, {pageup}, {pagedown}, {delete}, {insert}, {f1} to {f12}

Other braces are sent as they are.

Examples:
- Run command: input="npm test{enter}" until="prompt"
- Answer prompt: input="y{enter}"
- Navigate menu: input="{down}{down}{enter}"
- Cancel operation: input="{ctrl+c}"`;

/** The input of CliWrite. */
export interface CliWriteInput {
  /** The session. */
  sessionId: string;
  /** Text and names of keys. */
  input: string;
  /** Most seconds to wait. */
  timeout?: number | undefined;
  /** The condition to wait for. */
  until?: string | undefined;
  /** True to send braces as they are. */
  raw?: boolean | undefined;
}

/** The tool CliWrite: sends input to a session, then returns its output. */
export function cliWrite(context: CliContext): Tool<CliWriteInput> {
  const { limits } = context;
  return posixTool(context, {
    name: "CliWrite",
    description: DESCRIPTION,
    input: z.strictObject({
      sessionId: z.string().describe("Session to write to"),
      input: z.string().describe("Text or special keys to send"),
      timeout: z.int().min(0).max(limits.secondsMost).optional().describe(
        "Seconds to wait for response (default: 5; 30 with until)",
      ),
      until: z.string().optional().describe(UNTIL_HELP),
      raw: z.boolean().optional().describe(
        "Send braces as they are, without special keys (default: false)",
      ),
    }),
    output: z.object({
      sessionId: z.string(),
      status: z.literal("sent"),
      keys: z.array(z.string()).optional().describe("The special keys that were sent"),
      responseOutput: z.string(),
      ...outputFields,
      ...stateFields,
      ...hintField,
    }),
    annotations: {
      title: "Type into a session",
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: true,
    },
    async execute({ sessionId, input, raw = false, ...wait }, { signal, progress }) {
      const session = sessionOf(context, sessionId);
      const { isRunning, exitCode } = session.state;
      if (!isRunning) {
        const how = exitCode === null ? "it was killed" : `exit code ${exitCode}`;
        throw new RangeError(
          `Cannot write to ${sessionId}: it has ended (${how}); its output can be read with CliRead`,
        );
      }
      const seconds = wait.timeout ?? usualSeconds(wait.until);
      const until = wait.until === undefined ? undefined : readUntil(wait.until, context.host);
      const written = await withProgress(
        progress,
        { interval: limits.progressInterval, seconds },
        () =>
          session.write(
            { input, raw },
            { timeout: seconds * 1000, maxBytes: USUAL_BYTES, until, signal },
          ),
      );
      const hint = passwordHint(session, written) ?? (raw ? undefined : keyHint(input));
      return structuredResult({
        sessionId,
        status: "sent",
        ...(written.keys.length === 0 ? {} : { keys: written.keys }),
        responseOutput: written.output,
        ...outputOf(written),
        ...stateOf(written),
        ...(hint === undefined ? {} : { hint }),
      });
    },
  });
}
