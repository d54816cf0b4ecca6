import * as z from "zod";
import { defineTool, structuredResult, type Tool } from "../tool/mod.ts";
import type { CliContext } from "./cli_context.ts";

const DESCRIPTION = `Returns shell environment information. Call this first to understand:
- Which shell is available (bash, pwsh, cmd, sh)
- Platform-specific path separators
- How to chain commands
- How to reference environment variables

Use this before CliRun to write compatible commands.`;

const output = z.object({
  platform: z.string(),
  shell: z.string(),
  shellPath: z.string(),
  pathSeparator: z.string(),
  commandSeparator: z.string(),
  environmentPrefix: z.string(),
  features: z.object({
    pipelines: z.boolean(),
    redirects: z.boolean(),
    backgroundJobs: z.boolean(),
    heredoc: z.boolean(),
  }),
  workingDirectory: z.string().describe("Where commands run that name no other folder"),
  allowedDirectories: z.array(z.string()).optional().describe(
    "The folders that working directories must be in; absent: all may be used",
  ),
  sandbox: z.object({
    kind: z.enum(["bwrap", "none"]),
    network: z.boolean().optional(),
    writable: z.array(z.string()).optional().describe("What commands may write to besides /tmp"),
    reason: z.string().optional(),
  }).describe("What confines commands"),
});

/** The tool CliGetPlatform: the shell and the machine that commands run on. */
export function cliGetPlatform({ host }: CliContext): Tool<unknown> {
  return defineTool({
    name: "CliGetPlatform",
    description: DESCRIPTION,
    input: z.strictObject({}),
    output,
    annotations: {
      title: "Shell and platform",
      readOnlyHint: true,
      idempotentHint: true,
      openWorldHint: false,
    },
    async execute() {
      const { workingDirectory, allowedDirectories, sandbox } = host;
      return structuredResult({
        ...await host.platform(),
        workingDirectory,
        ...(allowedDirectories === undefined ? {} : { allowedDirectories }),
        sandbox,
      });
    },
  });
}
