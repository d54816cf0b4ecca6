import { escapeCommand, escapeReferences } from "../prompt/mod.ts";
import type { AgentCommand, Driver, DriverRequest } from "./driver.ts";
import { optionsOf, sessionOption } from "./_options.ts";
import { StreamJsonParser } from "./_stream_json.ts";
import { tokenField } from "./_transcript.ts";

/**
 * Alibaba's Qwen Code, with `-o stream-json`. It runs every tool without asking
 * (`--approval-mode yolo`).
 *
 * It reads `QWEN.md` and `AGENTS.md` itself.
 */
export const qwen: Driver = {
  name: "qwen",
  program: "qwen",
  npmPackage: "@qwen-code/qwen-code",
  sessions: "ours",
  usageOfSession: true,
  mustAnswer: true,
  escape: escapeReferences,
  command,
  parser: () =>
    new StreamJsonParser({
      usage: (usage) => ({
        inputTokens: tokenField(usage, "input_tokens"),
        outputTokens: tokenField(usage, "output_tokens"),
        cachedTokens: tokenField(usage, "cache_read_input_tokens"),
        reasoningTokens: 0,
      }),
      mayBeError: (text) => text.startsWith("[API Error: "),
    }),
};

function command({ entry, cwd, prompt, session }: DriverRequest): AgentCommand {
  const { args, model } = entry;
  const unless = optionsOf(args);
  return {
    program: entry.command ?? "qwen",
    args: [
      "--output-format",
      "stream-json",
      "--include-partial-messages",
      ...unless(["--approval-mode", "--yolo", "-y"], "--approval-mode", "yolo"),
      ...(model === undefined ? [] : unless(["--model", "-m"], "--model", model)),
      ...(session === undefined
        ? unless(["--chat-recording", "--no-chat-recording"], "--no-chat-recording")
        : sessionOption(session)),
      ...args,
    ],
    cwd,
    env: { QWEN_CODE_SUPPRESS_YOLO_WARNING: "1" },
    passEnv: entry.env,
    stdin: escapeCommand(prompt),
  };
}
