import { isRecord } from "../../base/mod.ts";
import type { AgentCommand, CliEvent, Driver, DriverRequest, OutputParser } from "./driver.ts";
import { optionsOf } from "./_options.ts";
import { parseObject, textField, tokenField, Transcript } from "./_transcript.ts";

/**
 * OpenAI's Codex: `codex exec --json`. Its own sandbox lets it write in its working folder only;
 * the `.git` folder there is read-only unless the request lists it.
 *
 * It reads `AGENTS.md` itself.
 */
export const codex: Driver = {
  name: "codex",
  program: "codex",
  npmPackage: "@openai/codex",
  sessions: "own",
  usageOfSession: true,
  mustAnswer: true,
  escape: undefined,
  command,
  parser: () => new CodexParser(),
};

function command({ entry, cwd, prompt, session, writable = [] }: DriverRequest): AgentCommand {
  const { args, model } = entry;
  const unless = optionsOf(args);
  // Inside bubblewrap, codex cannot set up its own sandbox, which would add nothing.
  const mode = entry.sandbox === "bwrap" ? "danger-full-access" : "workspace-write";
  const resumed = session !== undefined && session !== "new" && session.resume;
  return {
    program: entry.command ?? "codex",
    args: [
      "exec",
      "--json",
      ...unless(["--color"], "--color", "never"),
      "--skip-git-repo-check",
      "--cd",
      cwd,
      ...(session === undefined ? ["--ephemeral"] : []),
      ...unless(
        ["--sandbox", "-s", "--dangerously-bypass-approvals-and-sandbox"],
        "--sandbox",
        mode,
      ),
      ...(writable.length === 0 || mode !== "workspace-write"
        ? []
        : ["-c", `sandbox_workspace_write.writable_roots=${JSON.stringify(writable)}`]),
      ...(model === undefined ? [] : unless(["--model", "-m"], "--model", model)),
      ...args,
      ...(resumed ? ["resume", session.id] : []),
      "-",
    ],
    cwd,
    env: {},
    passEnv: entry.env,
    stdin: prompt,
  };
}

class CodexParser implements OutputParser {
  readonly #transcript = new Transcript();
  readonly #started = new Set<string>();

  line(text: string): CliEvent[] {
    const transcript = this.#transcript;
    const event = transcript.event(text);
    if (event === undefined) return [];
    switch (event["type"]) {
      case "thread.started":
        transcript.session = textField(event, "thread_id") || undefined;
        return [];
      case "item.started":
      case "item.completed":
        return this.#item(event["item"], event["type"] === "item.started");
      case "turn.completed": {
        const usage = event["usage"];
        transcript.complete = true;
        // Codex recovered from an `error` before this event, such as a lost connection.
        transcript.error = undefined;
        transcript.usage = {
          inputTokens: tokenField(usage, "input_tokens"),
          outputTokens: tokenField(usage, "output_tokens"),
          cachedTokens: tokenField(usage, "cached_input_tokens"),
          reasoningTokens: tokenField(usage, "reasoning_output_tokens"),
        };
        return [];
      }
      case "error":
        transcript.error = innerMessage(textField(event, "message")) || "unknown error";
        return [];
      case "turn.failed":
        transcript.error = innerMessage(textField(event["error"], "message")) || "unknown error";
        return [];
      default:
        return [];
    }
  }

  #item(item: unknown, started: boolean): CliEvent[] {
    if (!isRecord(item)) return [];
    const transcript = this.#transcript;
    switch (item["type"]) {
      case "agent_message": {
        if (started) return [];
        transcript.endMessage();
        // The last message is the answer, even if other items follow it.
        transcript.answer = textField(item, "text");
        return transcript.say(transcript.answer);
      }
      case "reasoning":
        return started ? [] : transcript.think(`${textField(item, "text")}\n`);
      case "error": // a warning: an error that ends the turn is an event of its own
        if (!started) transcript.beside(textField(item, "message"));
        return [];
    }
    // A tool call is reported once: at its start, or at its end if it had no start event.
    const id = textField(item, "id");
    if (!started && this.#started.has(id)) return [];
    this.#started.add(id);
    switch (item["type"]) {
      case "command_execution":
        return transcript.act("exec", item["command"]);
      case "file_change": {
        const changes = Array.isArray(item["changes"]) ? item["changes"] : [];
        return transcript.act("edit", changes.map((change) => textField(change, "path")).join(" "));
      }
      case "mcp_tool_call":
        return transcript.act(
          `${textField(item, "server")}.${textField(item, "tool")}`,
          item["arguments"],
        );
      case "web_search":
        return transcript.act("web_search", item["query"]);
      default:
        return [];
    }
  }

  end(): ReturnType<OutputParser["end"]> {
    return this.#transcript.end();
  }
}

/** Codex passes on the endpoint's error body; returns the message inside it. */
function innerMessage(message: string): string {
  return textField(parseObject(message)?.["error"], "message") || message;
}
