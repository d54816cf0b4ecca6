import { escapeCommand } from "../prompt/mod.ts";
import type { AgentCommand, Driver, DriverRequest } from "./driver.ts";
import { optionsOf, sessionOption } from "./_options.ts";
import { StreamJsonParser } from "./_stream_json.ts";
import { tokenField } from "./_transcript.ts";

/**
 * Anthropic's Claude Code, with `--output-format stream-json`. It runs every tool without asking
 * (`--permission-mode bypassPermissions`); as root it refuses that outside a sandbox.
 *
 * It reads `CLAUDE.md` itself, not `AGENTS.md`.
 */
export const claude: Driver = {
  name: "claude",
  program: "claude",
  npmPackage: "@anthropic-ai/claude-code",
  sessions: "ours",
  usageOfSession: false,
  mustAnswer: true,
  escape: undefined,
  command,
  parser: () =>
    new StreamJsonParser({
      // Claude's `input_tokens` leave out the tokens read from or written to a cache.
      usage: (usage) => ({
        inputTokens: tokenField(usage, "input_tokens") +
          tokenField(usage, "cache_read_input_tokens") +
          tokenField(usage, "cache_creation_input_tokens"),
        outputTokens: tokenField(usage, "output_tokens"),
        cachedTokens: tokenField(usage, "cache_read_input_tokens"),
        reasoningTokens: 0,
      }),
      // Claude reports errors as whole messages of a model called `<synthetic>`, never in pieces.
      mayBeError: () => false,
    }),
};

function command({ entry, cwd, prompt, session }: DriverRequest): AgentCommand {
  const { args, model } = entry;
  const unless = optionsOf(args);
  return {
    program: entry.command ?? "claude",
    args: [
      "--print",
      "--output-format",
      "stream-json",
      "--verbose",
      "--include-partial-messages",
      ...unless(
        ["--permission-mode", "--dangerously-skip-permissions"],
        "--permission-mode",
        "bypassPermissions",
      ),
      ...(model === undefined ? [] : unless(["--model"], "--model", model)),
      ...(session === undefined ? ["--no-session-persistence"] : sessionOption(session)),
      ...args,
    ],
    cwd,
    env: entry.sandbox === "bwrap" ? { IS_SANDBOX: "1" } : {},
    passEnv: entry.env,
    stdin: escapeCommand(prompt),
  };
}
