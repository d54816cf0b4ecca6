import { isRecord } from "../../base/mod.ts";
import type { AgentUsage, CliEvent, OutputParser } from "./driver.ts";
import { textField, Transcript } from "./_transcript.ts";

/** Differences between claude and qwen, which write the same events. */
export interface StreamJsonDialect {
  /** Reads the token counts of the result. */
  usage(usage: unknown): AgentUsage;
  /** True if a message that begins like this may be an error, which the result then reports. */
  mayBeError(beginning: string): boolean;
}

/**
 * Parses `--output-format stream-json --include-partial-messages`: pieces of blocks
 * (`stream_event`), whole messages (`assistant`), and the `result`.
 */
export class StreamJsonParser implements OutputParser {
  readonly #transcript = new Transcript();
  readonly #dialect: StreamJsonDialect;
  /** True if the blocks of the next whole message were already emitted in pieces. */
  #pieces = false;
  /**
   * True if the message may be an error: its pieces are held back, as the result has the full text.
   */
  #held = false;

  constructor(dialect: StreamJsonDialect) {
    this.#dialect = dialect;
  }

  line(text: string): CliEvent[] {
    const transcript = this.#transcript;
    const event = transcript.event(text);
    if (event === undefined) return [];
    transcript.session ??= textField(event, "session_id") || undefined;
    if (event["type"] === "result") return this.#result(event);
    // The user does not see the messages of a sub-agent.
    if (typeof event["parent_tool_use_id"] === "string") return [];
    switch (event["type"]) {
      case "stream_event":
        return this.#piece(event["event"]);
      case "assistant":
        return this.#message(event["message"]);
      default:
        return [];
    }
  }

  #piece(event: unknown): CliEvent[] {
    const transcript = this.#transcript;
    if (!isRecord(event)) return [];
    if (event["type"] === "message_start") {
      transcript.endMessage();
      this.#held = false;
    }
    if (event["type"] !== "content_block_delta") return [];
    const delta = event["delta"];
    const text = textField(delta, "text");
    if (text !== "") {
      if (transcript.message === "" && this.#dialect.mayBeError(text)) this.#held = true;
      this.#pieces = true;
      return this.#held ? [] : transcript.say(text);
    }
    return transcript.think(textField(delta, "thinking"));
  }

  #message(message: unknown): CliEvent[] {
    const content = isRecord(message) ? message["content"] : undefined;
    if (!Array.isArray(content) || textField(message, "model") === "<synthetic>") return [];
    const events: CliEvent[] = [];
    for (const block of content) {
      const text = textField(block, "text");
      if (textField(block, "type") === "tool_use") {
        events.push(...this.#transcript.act(textField(block, "name"), block.input));
      } else if (text !== "" && !this.#pieces) {
        this.#transcript.endMessage();
        events.push(...this.#transcript.say(text));
      }
    }
    this.#pieces = false;
    return events;
  }

  #result(event: Record<string, unknown>): CliEvent[] {
    const transcript = this.#transcript;
    transcript.complete = true;
    transcript.usage = this.#dialect.usage(event["usage"]);
    const result = textField(event, "result");
    if (event["is_error"] === true) {
      transcript.error = textField(event["error"], "message") || result ||
        textField(event, "subtype") || "unknown error";
    } else if (typeof event["result"] === "string") {
      transcript.answer = result;
    }
    return [];
  }

  end(): ReturnType<OutputParser["end"]> {
    return this.#transcript.end();
  }
}
