import { escapeCommand, escapeReferences } from "../prompt/mod.ts";
import type { AgentCommand, CliEvent, Driver, DriverRequest, OutputParser } from "./driver.ts";
import { optionsOf, sessionOption } from "./_options.ts";
import { textField, tokenField, Transcript } from "./_transcript.ts";

/**
 * Google's Gemini CLI, with `-o stream-json`. It runs every tool without asking
 * (`--approval-mode yolo`), and trusts the folder: it would refuse to work there otherwise.
 *
 * It reads `GEMINI.md` itself, not `AGENTS.md`.
 */
export const gemini: Driver = {
  name: "gemini",
  program: "gemini",
  npmPackage: "@google/gemini-cli",
  sessions: "ours",
  usageOfSession: false,
  mustAnswer: true,
  escape: escapeReferences,
  command,
  parser: () => new GeminiParser(),
};

function command({ entry, cwd, prompt, session }: DriverRequest): AgentCommand {
  const { args, model } = entry;
  const unless = optionsOf(args);
  return {
    program: entry.command ?? "gemini",
    args: [
      "--output-format",
      "stream-json",
      ...unless(["--approval-mode", "--yolo", "-y"], "--approval-mode", "yolo"),
      ...(model === undefined ? [] : unless(["--model", "-m"], "--model", model)),
      ...sessionOption(session),
      ...args,
    ],
    cwd,
    env: { GEMINI_CLI_NO_RELAUNCH: "true", GEMINI_CLI_TRUST_WORKSPACE: "true" },
    passEnv: entry.env,
    stdin: escapeCommand(prompt),
  };
}

class GeminiParser implements OutputParser {
  readonly #transcript = new Transcript();

  line(text: string): CliEvent[] {
    const transcript = this.#transcript;
    const event = transcript.event(text);
    if (event === undefined) return [];
    switch (event["type"]) {
      case "init":
        transcript.session = textField(event, "session_id") || undefined;
        return [];
      case "message":
        if (event["role"] !== "assistant") return [];
        return transcript.say(textField(event, "content"));
      case "tool_use":
        return transcript.act(textField(event, "tool_name"), event["parameters"]);
      case "tool_result":
        transcript.endMessage();
        return [];
      case "error":
        // Warnings are `error` events, too. An error that ends the run is in the result.
        transcript.beside(textField(event, "message"));
        return [];
      case "result": {
        const stats = event["stats"];
        transcript.complete = true;
        transcript.usage = {
          inputTokens: tokenField(stats, "input_tokens"),
          outputTokens: tokenField(stats, "output_tokens"),
          cachedTokens: tokenField(stats, "cached"),
          reasoningTokens: 0,
        };
        if (event["status"] !== "success") {
          transcript.error = textField(event["error"], "message") || "unknown error";
        }
        return [];
      }
      default:
        return [];
    }
  }

  end(): ReturnType<OutputParser["end"]> {
    return this.#transcript.end();
  }
}
